// One comparison, bound: a spec, a kernel and a launch contract over common size symbols.
#pragma once

#include "core/cuda/cuda_import.h"
#include "core/spec/spec.h"
#include "core/vc/int_normal.h"
#include "core/vc/symbolic_thread.h"

namespace plumbline::gate {

/// Name of the element variable in value terms; the same as in specs.
inline constexpr const char* elementName = spec::indexName;

/// A fact about sizes or launch with the place it comes from.
struct Hypothesis {
  std::string text;   ///< for people: "s0 >= 1", "x is contiguous"
  std::string origin; ///< "default size range", "wrapper", "captured graph", "--assume", "launch contract"
  std::optional<logic::TermId> condition; ///< Bool over size symbols; absent when it is not about sizes
};

/// Something the host must establish: a conversion keeps its value, the launch is legal, lengths agree.
struct HostObligation {
  std::string kind; ///< "overflow", "illegal-launch", "output-shape"; "": what fails it is not modelled
  logic::TermId holds;
  SourceRange where;
  std::string message;
};

/// Which buffer holds a graph output after the launch.
struct OutputBinding {
  size_t output = 0;  ///< index into Spec::outputs
  std::string buffer; ///< name in terms: "output:0", or an input's name for an in-place kernel
};

struct Problem {
  spec::Spec spec;
  const ir::Module* module = nullptr;
  const ir::Kernel* kernel = nullptr;
  ir::LaunchContract contract;
  vc::ThreadGeometry geometry;
  std::map<std::string, vc::ParameterBinding> parameters; ///< by kernel parameter
  std::vector<OutputBinding> outputs;
  std::vector<Hypothesis> hypotheses;
  std::vector<HostObligation> hostObligations;
  std::map<std::string, vc::Bounds> bounds; ///< of size variables, for interval reasoning
  /// Definitions of size variables that stand for products: numel variable = product of dimensions.
  std::vector<logic::TermId> definitions;
  /// The size variables that fix everything else, with their captured values.
  std::vector<std::string> sizeVariables;
  /// Value of every contract symbol as a term over the size variables.
  std::map<std::string, logic::TermId> contractSymbols;
  /// Shape of each buffer (graph input name or "output:<i>") as terms.
  std::map<std::string, std::vector<logic::TermId>> bufferShapes;
};

} // namespace plumbline::gate
