#include "app/sweep/jit.h"

#include <future>
#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>

namespace plumbline::sweep {
namespace {

using llvm::orc::JITTargetMachineBuilder;
using LowerFunction = std::unique_ptr<llvm::Module> (*)(llvm::LLVMContext&, const Comparison&);
using ObjectCode = llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>;

tl::unexpected<Error> jitError(llvm::Error error) {
  return fail(ErrorKind::Tool, "jit", "cannot compile the sweep: " + llvm::toString(std::move(error)),
              "run `plumbline doctor`; the other engines are tried instead");
}

/// The machine at hand, never fusing a * b + c by itself.
llvm::Expected<JITTargetMachineBuilder> hostMachine() {
  auto builder = JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  builder->setCodeGenOptLevel(llvm::CodeGenOptLevel::Aggressive);
  builder->getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return builder;
}

void setHostAttributes(llvm::Module& module, const JITTargetMachineBuilder& host) {
  for (llvm::Function& function : module) {
    function.addFnAttr("target-cpu", host.getCPU());
    function.addFnAttr("target-features", host.getFeatures().getString());
    // The widest registers: on many processors an operation that meets a subnormal costs some 150 cycles
    // however wide it is.
    function.addFnAttr("prefer-vector-width", "512");
  }
}

/// The pipeline of clang -O3.
void optimise(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  tuning.LoopInterleaving = true;
  llvm::PassBuilder passes(&machine, tuning);
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(components);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, components, modules);
  passes.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(module, modules);
}

ObjectCode objectCode(JITTargetMachineBuilder host, const Comparison& comparison, LowerFunction lower) {
  auto machine = host.createTargetMachine();
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = lower(context, comparison);
  module->setDataLayout((*machine)->createDataLayout());
  module->setTargetTriple((*machine)->getTargetTriple().str());
  if (llvm::verifyModule(*module))
    return llvm::createStringError("malformed code for the terms");
  setHostAttributes(*module, host);
  optimise(*module, **machine);
  return llvm::orc::SimpleCompiler(**machine)(*module);
}

} // namespace

struct Jit::Implementation {
  Implementation(JITTargetMachineBuilder hostMachine, std::unique_ptr<llvm::orc::LLJIT> lljit)
      : host(std::move(hostMachine)), jit(std::move(lljit)),
        machine("LLVM " LLVM_VERSION_STRING ", " + host.getCPU()) {}

  JITTargetMachineBuilder host;
  std::unique_ptr<llvm::orc::LLJIT> jit;
  llvm::orc::JITDylib* current = nullptr;
  unsigned generation = 0;
  std::string machine;

  llvm::Error dropCode() {
    if (current == nullptr)
      return llvm::Error::success();
    return jit->getExecutionSession().removeJITDylib(*std::exchange(current, nullptr));
  }

  llvm::Expected<Loops> link(ObjectCode left, ObjectCode right) {
    if (!left || !right)
      return llvm::joinErrors(left.takeError(), right.takeError());
    auto library = jit->createJITDylib("comparison" + std::to_string(++generation));
    if (!library)
      return library.takeError();
    current = &*library;
    if (llvm::Error error = jit->addObjectFile(*current, std::move(*left)))
      return error;
    if (llvm::Error error = jit->addObjectFile(*current, std::move(*right)))
      return error;
    auto leftAddress = jit->lookup(*current, leftSymbol);
    if (!leftAddress)
      return leftAddress.takeError();
    auto rightAddress = jit->lookup(*current, rightSymbol);
    if (!rightAddress)
      return rightAddress.takeError();
    return Loops{leftAddress->toPtr<void (*)(uint32_t, uint32_t, void*)>(),
                 rightAddress->toPtr<uint32_t (*)(uint32_t, uint32_t, const void*)>()};
  }
};

Jit::Jit(std::unique_ptr<Implementation> implementation) : m_implementation(std::move(implementation)) {}
Jit::~Jit() = default;

Expected<std::unique_ptr<Jit>> Jit::create() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto host = hostMachine();
  if (!host)
    return jitError(host.takeError());
  auto jit = llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(*host).create();
  if (!jit)
    return jitError(jit.takeError());
  return std::unique_ptr<Jit>(new Jit(std::make_unique<Implementation>(*host, std::move(*jit))));
}

Expected<Loops> Jit::compile(const Comparison& comparison) {
  if (llvm::Error error = m_implementation->dropCode())
    return jitError(std::move(error));
  auto left =
      std::async(std::launch::async, objectCode, m_implementation->host, std::cref(comparison), lowerLeft);
  ObjectCode right = objectCode(m_implementation->host, comparison, lowerRight);
  auto loops = m_implementation->link(left.get(), std::move(right));
  if (!loops)
    return jitError(loops.takeError());
  return *loops;
}

const std::string& Jit::machine() const {
  return m_implementation->machine;
}

} // namespace plumbline::sweep
