# The layers of core/, lowest first. Each folder core/NAME is the library plumbline_NAME; it may use only the
# layers named in its call here. tests/arch checks the same list against the #include lines.

# plumbline_layer(NAME SOURCES a.cpp ... DEPENDS base f32 ... [LIBRARIES external ...])
function(plumbline_layer name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;LIBRARIES" ${ARGN})
  if(ARG_SOURCES)
    add_library(plumbline_${name} STATIC ${ARG_SOURCES})
    set(scope PUBLIC)
  else()
    add_library(plumbline_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(plumbline_${name} ${scope} ${PROJECT_SOURCE_DIR})
  foreach(dependency IN LISTS ARG_DEPENDS)
    target_link_libraries(plumbline_${name} ${scope} plumbline_${dependency})
  endforeach()
  target_link_libraries(plumbline_${name} ${scope} ${ARG_LIBRARIES})
endfunction()
