#include "core/cuda/clang/module_reader.h"

#include "core/cuda/clang/function_translator.h"
#include "core/cuda/clang/host_reader.h"

#include <algorithm>
#include <set>

namespace plumbline::cuda {
namespace {

/// The functions with a body that a source defines: instantiations, never template patterns.
class FunctionCollector {
public:
  explicit FunctionCollector(const SourceMap& sources) : m_sources(sources) {}

  std::vector<const clang::FunctionDecl*> functions;
  /// `__global__` templates that nothing instantiates.
  std::vector<const clang::FunctionDecl*> unusedKernels;
  /// Variables outside functions, with what initialises them.
  std::vector<const clang::VarDecl*> variables;

  void collect(const clang::DeclContext* context) {
    for (const clang::Decl* decl : context->decls()) {
      if (m_sources.inShim(decl))
        continue;
      if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(decl))
        add(function);
      else if (const auto* pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(decl))
        addInstances(pattern);
      else if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl); variable && variable->hasInit())
        variables.push_back(variable);
      else if (const auto* record = llvm::dyn_cast<clang::ClassTemplateDecl>(decl))
        for (const clang::ClassTemplateSpecializationDecl* instance : record->specializations())
          collect(instance);
      else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::CXXRecordDecl>(decl))
        collect(llvm::cast<clang::DeclContext>(decl));
    }
  }

private:
  void add(const clang::FunctionDecl* function) {
    // An explicit specialisation stands in its namespace and in the list of its template.
    if (function->doesThisDeclarationHaveABody() && !function->isDependentContext() &&
        !function->isDeleted() && m_seen.insert(function).second)
      functions.push_back(function);
  }

  void addInstances(const clang::FunctionTemplateDecl* pattern) {
    if (!pattern->isThisDeclarationADefinition())
      return;
    for (const clang::FunctionDecl* instance : pattern->specializations())
      if (const clang::FunctionDecl* definition = instance->getDefinition())
        add(definition);
    const clang::FunctionDecl* written = pattern->getTemplatedDecl();
    const bool instantiated = std::any_of(m_seen.begin(), m_seen.end(), [&](const clang::FunctionDecl* each) {
      return each->getPrimaryTemplate() == pattern;
    });
    if (!instantiated && written->hasAttr<clang::CUDAGlobalAttr>())
      unusedKernels.push_back(written);
  }

  const SourceMap& m_sources;
  std::set<const clang::FunctionDecl*> m_seen;
};

int launchBound(const clang::ASTContext& ast, const clang::FunctionDecl* kernel) {
  const auto* bounds = kernel->getAttr<clang::CUDALaunchBoundsAttr>();
  if (!bounds || !bounds->getMaxThreads() || bounds->getMaxThreads()->isValueDependent())
    return 0;
  const std::optional<llvm::APSInt> value = bounds->getMaxThreads()->getIntegerConstantExpr(ast);
  return value && value->isSignedIntN(31) && value->isStrictlyPositive()
             ? static_cast<int>(value->getExtValue())
             : 0;
}

std::string uniqueName(const std::string& name, const std::vector<ir::Kernel>& kernels) {
  std::string unique = name;
  for (int next = 2;
       std::any_of(kernels.begin(), kernels.end(), [&](const ir::Kernel& k) { return k.name == unique; });
       ++next)
    unique = name + "(" + std::to_string(next) + ")";
  return unique;
}

void readKernel(DeviceCode& code, const clang::FunctionDecl* definition, KernelNames& names, Answer& answer) {
  const DeviceFunction& state = code.translate(definition);
  ir::Kernel kernel;
  kernel.name = uniqueName(displayName(definition), answer.module.kernels);
  kernel.rejections = code.notes.everywhere;
  kernel.rejections.insert(kernel.rejections.end(), state.rejections.begin(), state.rejections.end());
  kernel.function = kernel.rejections.empty() ? state.index : -1;
  kernel.maxThreadsPerBlock = launchBound(code.ast, definition);
  for (const Rejection& error : state.errors)
    if (std::find(answer.errors.begin(), answer.errors.end(), error) == answer.errors.end())
      answer.errors.push_back(error);
  names.emplace(definition->getCanonicalDecl(), answer.module.kernels.size());
  answer.module.kernels.push_back(std::move(kernel));
}

bool covers(const SourceMap& sources, const clang::FunctionDecl* function, const SourceNote& note) {
  const clang::FunctionDecl* written = function->getTemplateInstantiationPattern();
  const clang::SourceRange tokens = (written ? written : function)->getSourceRange();
  const std::optional<unsigned> begin = sources.mainOffset(tokens.getBegin());
  const std::optional<unsigned> end = sources.mainOffset(tokens.getEnd());
  return note.offset && begin && end && *begin <= *note.offset && *note.offset <= *end;
}

/// A mark or error outside every function may concern device code: it is never passed over.
void placeFileScopeNotes(const SourceMap& sources, const FunctionCollector& collector, SourceNotes& notes,
                         Answer& answer) {
  const auto inside = [&](const SourceNote& note) {
    const auto holds = [&](const clang::FunctionDecl* function) { return covers(sources, function, note); };
    return std::any_of(collector.functions.begin(), collector.functions.end(), holds) ||
           std::any_of(collector.unusedKernels.begin(), collector.unusedKernels.end(), holds);
  };
  for (const SourceNote& note : notes.marks)
    if (!inside(note))
      notes.everywhere.push_back(note.rejection);
  for (const SourceNote& note : notes.errors)
    if (!inside(note)) {
      notes.everywhere.push_back(note.rejection);
      answer.errors.push_back(note.rejection);
    }
}

/// Launches in methods and in initialisers outside functions are nobody's wrapper: they are never passed
/// over.
void otherLaunches(const SourceMap& sources, const FunctionCollector& collector, Answer& answer) {
  const auto add = [&](const std::string& name, const clang::SourceRange& place) {
    answer.unread.push_back(
        {"launch-not-read", "launch in '" + name + "', which is no plain function", sources.range(place)});
  };
  for (const clang::FunctionDecl* function : collector.functions)
    if (llvm::isa<clang::CXXMethodDecl>(function) && !function->hasAttr<clang::CUDADeviceAttr>() &&
        launchesKernel(function->getBody()))
      add(function->getQualifiedNameAsString(), function->getSourceRange());
  for (const clang::VarDecl* variable : collector.variables)
    if (launchesKernel(variable->getInit()))
      add(variable->getQualifiedNameAsString(), variable->getSourceRange());
}

} // namespace

void readModule(clang::ASTContext& ast, const SourceMap& sources, const SourceNotes& given, Answer& answer) {
  SourceNotes notes = given;
  FunctionCollector collector(sources);
  collector.collect(ast.getTranslationUnitDecl());
  placeFileScopeNotes(sources, collector, notes, answer);
  DeviceCode code(ast, sources, notes, answer.module);
  KernelNames kernels;
  for (const clang::FunctionDecl* function : collector.functions)
    if (function->hasAttr<clang::CUDAGlobalAttr>())
      readKernel(code, function, kernels, answer);
  for (const clang::FunctionDecl* kernel : collector.unusedKernels)
    answer.unread.push_back({"not-instantiated",
                             "kernel template '" + kernel->getNameAsString() + "' that nothing launches",
                             sources.range(kernel->getSourceRange())});
  const HostContext host{ast, sources, notes, kernels, answer};
  for (const clang::FunctionDecl* function : collector.functions)
    if (!function->hasAttr<clang::CUDAGlobalAttr>() && !llvm::isa<clang::CXXMethodDecl>(function))
      readWrapper(host, function);
  otherLaunches(sources, collector, answer);
}

} // namespace plumbline::cuda
