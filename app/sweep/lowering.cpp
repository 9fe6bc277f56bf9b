// Left and right are separate modules on purpose: in one function LLVM proves x * 0.5 equal to x / 2 and
// deletes the loop, and then the optimiser decides the question that the sweep is meant to decide. No
// operation carries a fast-math flag, so every one of them is the IEEE operation with one rounding.
#include "app/sweep/lowering.h"

#include <bit>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace plumbline::sweep {
namespace {

using llvm::Value;
using llvm::Intrinsic::ID;
using logic::Op;
using logic::Sort;
using logic::Term;
using logic::TermId;
using logic::TermStore;

/// Builds the values of terms inside one loop body. Int terms are i32 when their bounds allow, else i64.
class TermLowering {
public:
  TermLowering(llvm::IRBuilder<>& builder, const Comparison& comparison, Value* variable)
      : m_builder(builder), m_store(*comparison.store), m_ranges(comparison.ranges), m_variable(variable) {}

  Value* lower(TermId root) {
    for (const TermId id : m_store.postOrder(root))
      if (!m_values.contains(id))
        m_values.emplace(id, lowerNode(id));
    return m_values.at(root);
  }

  /// Same bits, or both NaN; for integers and truth values plain equality.
  Value* same(Value* a, Value* b) {
    if (!a->getType()->isFloatingPointTy())
      return m_builder.CreateICmpEQ(a, b);
    llvm::Type* bits = m_builder.getIntNTy(a->getType()->getPrimitiveSizeInBits());
    Value* equalBits =
        m_builder.CreateICmpEQ(m_builder.CreateBitCast(a, bits), m_builder.CreateBitCast(b, bits));
    Value* bothNan = m_builder.CreateAnd(m_builder.CreateFCmpUNO(a, a), m_builder.CreateFCmpUNO(b, b));
    return m_builder.CreateOr(equalBits, bothNan);
  }

  /// Widens an Int value to 64 bits and a Bool to 8, as they are stored.
  Value* stored(TermId id) {
    Value* value = lower(id);
    switch (m_store[id].sort) {
    case Sort::Bool: return m_builder.CreateZExt(value, m_builder.getInt8Ty());
    case Sort::Int: return m_builder.CreateSExt(value, m_builder.getInt64Ty());
    default: return value;
    }
  }

private:
  llvm::Type* floatType(Sort sort) {
    return sort == Sort::F64 ? m_builder.getDoubleTy() : m_builder.getFloatTy();
  }
  llvm::IntegerType* intType(TermId id) {
    return m_ranges.at(id).fits32() ? m_builder.getInt32Ty() : m_builder.getInt64Ty();
  }
  Value* argument(const Term& term, size_t index) { return m_values.at(term.args[index]); }
  Value* resized(Value* value, llvm::Type* type) { return m_builder.CreateSExtOrTrunc(value, type); }

  Value* lowerNode(TermId id) {
    const Term& term = m_store[id];
    switch (term.op) {
    case Op::BoolConst: return m_builder.getInt1(term.payload != 0);
    case Op::Var: return m_variable;
    case Op::Not: return m_builder.CreateNot(argument(term, 0));
    case Op::And: return m_builder.CreateAnd(argument(term, 0), argument(term, 1));
    case Op::Or: return m_builder.CreateOr(argument(term, 0), argument(term, 1));
    case Op::Ite: return lowerIte(id);
    default: break;
    }
    if (term.sort == Sort::Int)
      return lowerInt(id);
    if (term.op == Op::ILt || term.op == Op::ILe || term.op == Op::IEq)
      return lowerIntComparison(term);
    return term.sort == Sort::Bool ? lowerFloatComparison(term) : lowerFloat(term);
  }

  Value* lowerIte(TermId id) {
    const Term& term = m_store[id];
    Value* yes = argument(term, 1);
    Value* no = argument(term, 2);
    if (term.sort == Sort::Int) {
      yes = resized(yes, intType(id));
      no = resized(no, intType(id));
    }
    return m_builder.CreateSelect(argument(term, 0), yes, no);
  }

  Value* lowerIntComparison(const Term& term) {
    const bool narrow = m_ranges.at(term.args[0]).fits32() && m_ranges.at(term.args[1]).fits32();
    llvm::Type* type = narrow ? m_builder.getInt32Ty() : m_builder.getInt64Ty();
    Value* a = resized(argument(term, 0), type);
    Value* b = resized(argument(term, 1), type);
    if (term.op == Op::IEq)
      return m_builder.CreateICmpEQ(a, b);
    return term.op == Op::ILt ? m_builder.CreateICmpSLT(a, b) : m_builder.CreateICmpSLE(a, b);
  }

  Value* lowerInt(TermId id) {
    const Term& term = m_store[id];
    if (term.op == Op::IntConst)
      return llvm::ConstantInt::getSigned(intType(id), static_cast<int64_t>(term.payload));
    if (term.op == Op::FloatToInt)
      return lowerFloatToInt(id);
    // Computed wide enough for both arguments and the result; checkFragment has excluded overflow.
    bool narrow = m_ranges.at(id).fits32();
    for (const TermId argumentId : term.args)
      narrow = narrow && m_ranges.at(argumentId).fits32();
    llvm::Type* type = narrow ? m_builder.getInt32Ty() : m_builder.getInt64Ty();
    Value* a = resized(argument(term, 0), type);
    Value* b = resized(argument(term, 1), type);
    return resized(intOperation(term.op, a, b), intType(id));
  }

  Value* intOperation(Op op, Value* a, Value* b) {
    switch (op) {
    case Op::IAdd: return m_builder.CreateAdd(a, b);
    case Op::ISub: return m_builder.CreateSub(a, b);
    case Op::IMul: return m_builder.CreateMul(a, b);
    case Op::IDiv: return m_builder.CreateSDiv(a, b);
    default: return m_builder.CreateSRem(a, b);
    }
  }

  /// llvm.fpto[su]i.sat truncates, saturates and gives 0 for NaN, as PTX cvt.rzi does.
  Value* lowerFloatToInt(TermId id) {
    const Term& term = m_store[id];
    const bool isSigned = (term.payload & 0x100) != 0;
    llvm::Type* narrow = m_builder.getIntNTy(static_cast<unsigned>(term.payload & 0xff));
    Value* from = argument(term, 0);
    const ID intrinsic = isSigned ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat;
    Value* value = m_builder.CreateIntrinsic(intrinsic, {narrow, from->getType()}, {from});
    return m_builder.CreateIntCast(value, intType(id), isSigned);
  }

  Value* lowerFloatComparison(const Term& term) {
    Value* a = argument(term, 0);
    switch (term.op) {
    case Op::FLt: return m_builder.CreateFCmpOLT(a, argument(term, 1));
    case Op::FLe: return m_builder.CreateFCmpOLE(a, argument(term, 1));
    case Op::FEq: return m_builder.CreateFCmpOEQ(a, argument(term, 1));
    case Op::FIsNan: return m_builder.CreateFCmpUNO(a, a);
    case Op::FSame: return same(a, argument(term, 1));
    default: llvm_unreachable("not a comparison of floats");
    }
  }

  Value* lowerConstant(const Term& term) {
    if (term.sort == Sort::F64)
      return llvm::ConstantFP::get(m_builder.getContext(),
                                   llvm::APFloat(llvm::APFloat::IEEEdouble(), llvm::APInt(64, term.payload)));
    return llvm::ConstantFP::get(m_builder.getContext(),
                                 llvm::APFloat(llvm::APFloat::IEEEsingle(), llvm::APInt(32, term.payload)));
  }

  Value* lowerFloat(const Term& term) {
    if (term.op == Op::FloatConst)
      return lowerConstant(term);
    Value* a = argument(term, 0);
    switch (term.op) {
    case Op::FAdd: return m_builder.CreateFAdd(a, argument(term, 1));
    case Op::FSub: return m_builder.CreateFSub(a, argument(term, 1));
    case Op::FMul: return m_builder.CreateFMul(a, argument(term, 1));
    case Op::FDiv: return m_builder.CreateFDiv(a, argument(term, 1));
    case Op::FNeg: return m_builder.CreateFNeg(a);
    case Op::FAbs: return m_builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, a);
    case Op::FSqrt: return m_builder.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, a);
    case Op::FFma:
      return m_builder.CreateIntrinsic(llvm::Intrinsic::fma, {a->getType()},
                                       {a, argument(term, 1), argument(term, 2)});
    case Op::FConvert: return m_builder.CreateFPCast(a, floatType(term.sort));
    case Op::IntToFloat: return m_builder.CreateSIToFP(a, floatType(term.sort));
    default: llvm_unreachable("not a float operation");
    }
  }

  llvm::IRBuilder<>& m_builder;
  const TermStore& m_store;
  const IntRanges& m_ranges;
  Value* m_variable;
  std::unordered_map<TermId, Value*> m_values;
};

/// A function (i32 first, i32 count, ptr buffer) with a loop over i = 0 .. count-1 that is still open at its
/// body.
struct OpenLoop {
  llvm::Function* function;
  llvm::BasicBlock* entry;
  llvm::BasicBlock* body;
  llvm::BasicBlock* exit;
  llvm::PHINode* index; ///< i64
  Value* variable;      ///< the float whose bits are first + i
  Value* buffer;
};

OpenLoop openLoop(llvm::Module& module, llvm::IRBuilder<>& builder, const char* name, llvm::Type* result) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* i32 = builder.getInt32Ty();
  auto* type = llvm::FunctionType::get(result, {i32, i32, builder.getPtrTy()}, false);
  OpenLoop loop{};
  loop.function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module);
  loop.function->addFnAttr(llvm::Attribute::NoUnwind);
  loop.function->addParamAttr(2, llvm::Attribute::NoAlias);
  loop.entry = llvm::BasicBlock::Create(context, "entry", loop.function);
  loop.body = llvm::BasicBlock::Create(context, "body", loop.function);
  loop.exit = llvm::BasicBlock::Create(context, "exit", loop.function);
  loop.buffer = loop.function->getArg(2);
  builder.SetInsertPoint(loop.entry);
  Value* empty = builder.CreateICmpEQ(loop.function->getArg(1), builder.getInt32(0));
  builder.CreateCondBr(empty, loop.exit, loop.body);
  builder.SetInsertPoint(loop.body);
  loop.index = builder.CreatePHI(builder.getInt64Ty(), 2, "i");
  loop.index->addIncoming(builder.getInt64(0), loop.entry);
  Value* bits = builder.CreateAdd(loop.function->getArg(0), builder.CreateTrunc(loop.index, i32));
  loop.variable = builder.CreateBitCast(bits, builder.getFloatTy(), "x");
  return loop;
}

void closeLoop(OpenLoop& loop, llvm::IRBuilder<>& builder) {
  Value* next = builder.CreateNUWAdd(loop.index, builder.getInt64(1));
  Value* count = builder.CreateZExt(loop.function->getArg(1), builder.getInt64Ty());
  loop.index->addIncoming(next, loop.body);
  builder.CreateCondBr(builder.CreateICmpEQ(next, count), loop.exit, loop.body);
  builder.SetInsertPoint(loop.exit);
}

llvm::Type* storedType(llvm::IRBuilder<>& builder, Sort sort) {
  switch (sort) {
  case Sort::Bool: return builder.getInt8Ty();
  case Sort::Int: return builder.getInt64Ty();
  case Sort::F32: return builder.getFloatTy();
  case Sort::F64: return builder.getDoubleTy();
  }
  llvm_unreachable("unknown sort");
}

} // namespace

std::unique_ptr<llvm::Module> lowerLeft(llvm::LLVMContext& context, const Comparison& comparison) {
  auto module = std::make_unique<llvm::Module>("left", context);
  llvm::IRBuilder<> builder(context);
  OpenLoop loop = openLoop(*module, builder, leftSymbol, builder.getVoidTy());
  TermLowering lowering(builder, comparison, loop.variable);
  Value* value = lowering.stored(comparison.left);
  builder.CreateStore(value, builder.CreateInBoundsGEP(value->getType(), loop.buffer, loop.index));
  closeLoop(loop, builder);
  builder.CreateRetVoid();
  return module;
}

std::unique_ptr<llvm::Module> lowerRight(llvm::LLVMContext& context, const Comparison& comparison) {
  auto module = std::make_unique<llvm::Module>("right", context);
  llvm::IRBuilder<> builder(context);
  OpenLoop loop = openLoop(*module, builder, rightSymbol, builder.getInt32Ty());
  auto* found = llvm::PHINode::Create(builder.getInt32Ty(), 2, "found", loop.index->getIterator());
  TermLowering lowering(builder, comparison, loop.variable);
  llvm::Type* type = storedType(builder, (*comparison.store)[comparison.left].sort);
  Value* left = builder.CreateLoad(type, builder.CreateInBoundsGEP(type, loop.buffer, loop.index));
  Value* matched = builder.getFalse();
  for (const TermId right : comparison.rights)
    matched = builder.CreateOr(matched, lowering.same(left, lowering.stored(right)));
  Value* differs = builder.CreateAnd(lowering.lower(comparison.hypothesis), builder.CreateNot(matched));
  Value* accumulated = builder.CreateOr(found, builder.CreateZExt(differs, builder.getInt32Ty()));
  found->addIncoming(builder.getInt32(0), loop.entry);
  found->addIncoming(accumulated, loop.body);
  closeLoop(loop, builder);
  llvm::PHINode* result = builder.CreatePHI(builder.getInt32Ty(), 2);
  result->addIncoming(builder.getInt32(0), loop.entry);
  result->addIncoming(accumulated, loop.body);
  builder.CreateRet(result);
  return module;
}

} // namespace plumbline::sweep
