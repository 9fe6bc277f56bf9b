#include "core/velvet/expr_typing.h"

#include "core/velvet/operators.h"
#include "core/velvet/printer.h"

#include <algorithm>

namespace plumbline::velvet {
namespace {

const LeanType unknown{};
const LeanType prop{"Prop"};
const LeanType boolean{"Bool"};
const LeanType nat{"Nat"};
const LeanType integer{"Int"};

bool isMeta(const LeanType& type) {
  return type.head.starts_with('?');
}

bool isArithmetic(const Expr& expr) {
  if (expr.form == Form::Unary)
    return expr.unary == UnaryOp::Negate;
  if (expr.form != Form::Binary)
    return false;
  switch (expr.binary) {
  case BinaryOp::Add:
  case BinaryOp::Subtract:
  case BinaryOp::Multiply:
  case BinaryOp::Divide:
  case BinaryOp::Modulo: return true;
  default: return false;
  }
}

/// Fields that the table knows, whatever of.
bool isFieldOfSomething(const std::string& field) {
  return std::ranges::any_of(signatures(), [&](const auto& entry) {
    const size_t dot = entry.first.rfind('.');
    return dot != std::string::npos && !entry.first.starts_with("Plumbline.") &&
           entry.first.substr(dot + 1) == field;
  });
}

bool hasClosedFields(const LeanType& type) {
  constexpr std::string_view heads[] = {"Nat", "Int", "Bool", "Float32", "Float", "Array"};
  return std::ranges::find(heads, type.head) != std::end(heads);
}

} // namespace

// --- Reporting ---

void ExprTyper::report(TextRange range, const char* id, const std::string& message, Severity severity) {
  m_result.diagnostics.push_back({range, severity, id, message});
}

void ExprTyper::unknownName(TextRange range, const std::string& message) {
  report(range, "unknown-name", message, lenient ? Severity::Warning : Severity::Error);
}

void ExprTyper::mismatch(const Expr& expr, const LeanType& is, const LeanType& expected) {
  report(expr.range, "type-mismatch", "this is " + shown(is) + ", and " + shown(expected) + " is expected");
}

const ExprTyper::Local* ExprTyper::local(const std::string& name) const {
  const auto found =
      std::find_if(locals.rbegin(), locals.rend(), [&](const Local& each) { return each.name == name; });
  return found == locals.rend() ? nullptr : &*found;
}

// --- Types ---

bool ExprTyper::isTerm(const std::string& name) const {
  return local(name.substr(0, name.find('.'))) || globals.contains(name) || helpers.contains(name) ||
         signatures().contains(name);
}

LeanType ExprTyper::typeFrom(const std::string& text, TextRange range) {
  LeanType type = readType(text);
  bool isGood = true;
  const auto look = [&](const auto& self, const LeanType& each) -> void {
    const bool isIndex = each.known() && each.head[0] >= '0' && each.head[0] <= '9'; // Fin 3
    const bool declared = !each.known() || isIndex || isKnownType(each.head) ||
                          typeVariables.contains(each.head) || types.contains(each.head);
    if (!declared && isTerm(each.head)) {
      isGood = false; // a proposition, as hypotheses are: "h : isEven n"
    } else if (!declared && isGood) {
      report(range, "unknown-type", each.head + " is no type that this document or its imports declare",
             lenient ? Severity::Warning : Severity::Error);
      isGood = false;
    }
    if (each.is("Array") && each.args.size() != 1 && isGood) {
      report(range, "unknown-type", "Array is followed by the type of its elements");
      isGood = false;
    }
    for (const LeanType& arg : each.args)
      self(self, arg);
  };
  look(look, type);
  return isGood ? type : LeanType{};
}

LeanType ExprTyper::fresh(Meta meta) {
  m_metas.push_back(std::move(meta));
  return {"?" + std::to_string(m_metas.size() - 1)};
}

LeanType ExprTyper::resolve(LeanType type) const {
  while (isMeta(type)) {
    const LeanType& next = m_metas[std::stoul(type.head.substr(1))].solution;
    if (!next.known())
      return type;
    type = next;
  }
  return type;
}

LeanType ExprTyper::complete(const LeanType& type, int depth) const {
  LeanType made = resolve(type);
  if (isMeta(made)) {
    const Meta& meta = m_metas[std::stoul(made.head.substr(1))];
    return !meta.isNumber ? unknown : meta.isFraction ? LeanType{"Float"} : meta.isNegated ? integer : nat;
  }
  for (LeanType& arg : made.args)
    arg = depth > 50 ? unknown : complete(arg, depth + 1);
  return made;
}

bool ExprTyper::occurs(const std::string& meta, const LeanType& type, int depth) const {
  const LeanType inner = resolve(type);
  return inner.head == meta || depth > 50 ||
         std::ranges::any_of(inner.args, [&](const LeanType& arg) { return occurs(meta, arg, depth + 1); });
}

bool ExprTyper::isPlainVariable(const LeanType& type) const {
  const auto found = typeVariables.find(type.head);
  return found != typeVariables.end() && !found->second;
}

bool ExprTyper::takesNumbers(const LeanType& type) const {
  constexpr std::string_view without[] = {"Bool", "Prop",   "Array", "×",    "→",
                                          "Unit", "String", "Type",  "List", "Option"};
  return std::ranges::find(without, type.head) == std::end(without) && !isPlainVariable(type);
}

bool ExprTyper::solve(const std::string& name, const LeanType& type) {
  if (occurs(name, type))
    return false;
  Meta& meta = m_metas[std::stoul(name.substr(1))];
  if (isMeta(type)) {
    Meta& other = m_metas[std::stoul(type.head.substr(1))];
    other.isNumber |= meta.isNumber;
    other.isNegated |= meta.isNegated;
    other.isFraction |= meta.isFraction;
  } else if ((meta.isNumber && !takesNumbers(type)) || (meta.isNegated && type.is("Nat")) ||
             (meta.isFraction && (type.is("Nat") || type.is("Int")))) {
    return false;
  }
  meta.solution = type;
  return true;
}

bool ExprTyper::unify(const LeanType& first, const LeanType& second) {
  const LeanType a = resolve(first);
  const LeanType b = resolve(second);
  if (!a.known() || !b.known() || a == b)
    return true;
  if (isMeta(a))
    return solve(a.head, b);
  if (isMeta(b))
    return solve(b.head, a);
  if (a.head != b.head || a.args.size() != b.args.size())
    return false;
  for (size_t i = 0; i < a.args.size(); ++i)
    if (!unify(a.args[i], b.args[i]))
      return false;
  return true;
}

bool ExprTyper::coerces(const LeanType& first, const LeanType& second) {
  const LeanType from = resolve(first);
  const LeanType to = resolve(second);
  if (from.is("Nat") && (to.is("Int") || to.is("Rat") || to.is("Real") || to.is("ℝ")))
    return true;
  if ((from.is("Bool") && to.is("Prop")) || (from.is("Prop") && to.is("Bool")))
    return true;
  return unify(from, to);
}

LeanType ExprTyper::instantiate(const LeanType& type, const std::map<std::string, LeanType>& filled) {
  if (const auto found = filled.find(type.head); found != filled.end() && type.args.empty())
    return found->second;
  LeanType made{type.head};
  for (const LeanType& arg : type.args)
    made.args.push_back(instantiate(arg, filled));
  return made;
}

LeanType ExprTyper::instantiated(const LeanType& type, const std::set<std::string>& generics) {
  std::map<std::string, LeanType> filled;
  for (const std::string& each : generics)
    filled[each] = fresh();
  return instantiate(type, filled);
}

// --- Expressions ---

LeanType ExprTyper::infer(const Expr& expr) {
  LeanType type = inferForm(expr);
  m_types.emplace_back(&expr, type);
  return type;
}

void ExprTyper::check(const Expr& expr, const LeanType& expected) {
  const LeanType target = resolve(expected);
  LeanType type;
  if (expr.form == Form::If) {
    check(*expr.args[0], prop);
    check(*expr.args[1], target);
    check(*expr.args[2], target);
    type = target;
  } else if (expr.form == Form::Lambda && target.is("→")) {
    type = lambdaType(expr, target);
  } else if (isArithmetic(expr)) {
    type = arithmetic(expr, target);
    if (!coerces(type, target))
      mismatch(expr, type, target);
  } else if (expr.form == Form::Array && target.is("Array")) {
    for (const ExprPtr& element : expr.args)
      check(*element, target.args[0]);
    type = target;
  } else if (expr.form == Form::Pair && target.is("×")) {
    check(*expr.args[0], target.args[0]);
    check(*expr.args[1], target.args[1]);
    type = target;
  } else {
    type = inferForm(expr);
    if (!coerces(type, target))
      mismatch(expr, type, target);
  }
  m_types.emplace_back(&expr, type);
}

LeanType ExprTyper::inferForm(const Expr& expr) {
  switch (expr.form) {
  case Form::Name: return nameType(expr);
  case Form::Number: return fresh({unknown, true, false, false});
  case Form::Scientific: return fresh({unknown, true, false, true});
  case Form::String: return {"String"};
  case Form::Unit: return {"Unit"};
  case Form::Apply: return applyType(expr);
  case Form::Field: return fieldType(expr);
  case Form::Element: return elementType(expr);
  case Form::Ascribe: {
    const LeanType type = typeFrom(expr.text, expr.typeRange);
    check(*expr.args[0], type);
    return type;
  }
  case Form::Unary:
    if (expr.unary == UnaryOp::Negate)
      return arithmetic(expr, unknown);
    check(*expr.args[0], expr.unary == UnaryOp::Not ? prop : boolean);
    return expr.unary == UnaryOp::Not ? prop : boolean;
  case Form::Binary: return binaryType(expr);
  case Form::If: return ifType(expr);
  case Form::Forall:
  case Form::Exists: return quantified(expr);
  case Form::Lambda: return lambdaType(expr, unknown);
  case Form::Sum: return sumType(expr);
  case Form::Pair: {
    LeanType first = infer(*expr.args[0]);
    LeanType second = infer(*expr.args[1]);
    return {"×", {std::move(first), std::move(second)}};
  }
  case Form::Array: {
    const LeanType element = fresh();
    for (const ExprPtr& each : expr.args)
      check(*each, element);
    return arrayOfType(element);
  }
  case Form::Opaque: return unknown;
  }
  return unknown;
}

LeanType ExprTyper::nameType(const Expr& expr) {
  if (const Local* found = local(expr.text))
    return found->type;
  if (const auto found = globals.find(expr.text); found != globals.end())
    return instantiated(found->second.type, found->second.generics);
  if (helpers.contains(expr.text))
    return unknown;
  if (const auto found = signatures().find(expr.text); found != signatures().end())
    return instantiated(found->second.type, {"A", "S"});
  if (typeVariables.contains(expr.text) || types.contains(expr.text) || isKnownType(expr.text))
    return {"Type"};
  const size_t dot = expr.text.find('.');
  if (dot == std::string::npos ||
      locals.end() != std::ranges::find(locals, expr.text.substr(0, dot), &Local::name))
    unknownName(expr.range, "nothing called " + expr.text + " is in scope");
  else if (!expr.text.starts_with("Plumbline.op_"))
    report(expr.range, "unknown-name",
           "Plumbline knows nothing of " + expr.text + ": only Lean can tell its type", Severity::Warning);
  return unknown;
}

LeanType ExprTyper::fieldType(const Expr& expr) {
  const LeanType of = complete(infer(*expr.args[0]));
  if (!of.known())
    return unknown;
  if (expr.text == "1" || expr.text == "2") {
    if (of.is("×"))
      return of.args[expr.text == "1" ? 0 : 1];
    if (hasClosedFields(of))
      report(expr.nameRange, "type-mismatch", shown(of) + " has no parts");
    return unknown;
  }
  const std::string full = of.head + "." + expr.text;
  LeanType function;
  if (const auto found = globals.find(full); found != globals.end())
    function = instantiated(found->second.type, found->second.generics);
  else if (const auto known = signatures().find(full); known != signatures().end())
    function = instantiated(known->second.type, {"A", "S"});
  if (!function.is("→"))
    return unknownField(expr, of);
  unify(function.args[0], of);
  return function.args[1];
}

LeanType ExprTyper::unknownField(const Expr& expr, const LeanType& of) {
  if (helpers.contains(of.head + "." + expr.text))
    return unknown;
  if (hasClosedFields(of) && isFieldOfSomething(expr.text))
    report(expr.nameRange, "type-mismatch", shown(of) + " has no ." + expr.text);
  else
    report(expr.nameRange, "unknown-name",
           "Plumbline knows no ." + expr.text + " of " + shown(of) + ": only Lean can tell",
           Severity::Warning);
  return unknown;
}

LeanType ExprTyper::applyType(const Expr& expr) {
  LeanType function = infer(*expr.args[0]);
  for (size_t i = 1; i < expr.args.size(); ++i) {
    const Expr& arg = *expr.args[i];
    function = resolve(function);
    if (isMeta(function)) {
      const LeanType whole = arrow(fresh(), fresh());
      unify(function, whole);
      function = whole;
    }
    if (function.is("→") && function.args.size() == 2) {
      check(arg, function.args[0]);
      function = LeanType(function.args[1]);
      continue;
    }
    if (function.known()) {
      const std::string name = print(*expr.args[0]);
      if (i == 1)
        report(expr.args[0]->range, "not-a-function", name + " is " + shown(function) + ", not a function");
      else
        report(arg.range, "arguments",
               name + " takes " + std::to_string(i - 1) + (i == 2 ? " argument" : " arguments"));
    }
    for (; i < expr.args.size(); ++i)
      infer(*expr.args[i]);
    return unknown;
  }
  return function;
}

LeanType ExprTyper::elementType(const Expr& expr) {
  const LeanType of = resolve(infer(*expr.args[0]));
  if (of.is("Array") && of.args.size() == 1) {
    const LeanType index = infer(*expr.args[1]);
    if (resolve(index).is("Int"))
      report(expr.args[1]->range, "type-mismatch", "an index is a Nat: this is Int, write .toNat");
    else if (!unify(index, nat))
      mismatch(*expr.args[1], index, nat);
    return of.args[0];
  }
  infer(*expr.args[1]);
  if (isMeta(of)) {
    const LeanType element = fresh();
    if (unify(of, arrayOfType(element)))
      return element;
  } else if (!of.known() || of.is("List") || types.contains(of.head)) {
    return unknown;
  }
  report(expr.args[0]->range, "type-mismatch", "this is " + shown(of) + ", not an array");
  return unknown;
}

LeanType ExprTyper::binaryType(const Expr& expr) {
  switch (expr.binary) {
  case BinaryOp::Iff:
  case BinaryOp::Implies:
  case BinaryOp::Or:
  case BinaryOp::And:
    check(*expr.args[0], prop);
    check(*expr.args[1], prop);
    return prop;
  case BinaryOp::BoolOr:
  case BinaryOp::BoolAnd:
    check(*expr.args[0], boolean);
    check(*expr.args[1], boolean);
    return boolean;
  case BinaryOp::Equal:
  case BinaryOp::NotEqual:
  case BinaryOp::LessEqual:
  case BinaryOp::Less:
  case BinaryOp::GreaterEqual:
  case BinaryOp::Greater:
  case BinaryOp::BoolEqual:
  case BinaryOp::BoolNotEqual: return comparison(expr);
  case BinaryOp::Append: {
    LeanType left = infer(*expr.args[0]);
    check(*expr.args[1], left);
    return left;
  }
  case BinaryOp::Power: return powerType(expr);
  default: return arithmetic(expr, unknown);
  }
}

// --- Arithmetic: the operands of a whole tree get one type ---

struct ExprTyper::Tree {
  std::vector<std::pair<const Expr*, LeanType>> leaves;
  std::vector<const Expr*> nodes; ///< operators
};

void ExprTyper::collect(const Expr& expr, Tree& tree) {
  if (!isArithmetic(expr)) {
    tree.leaves.emplace_back(&expr, infer(expr));
    return;
  }
  tree.nodes.push_back(&expr);
  for (const ExprPtr& arg : expr.args)
    collect(*arg, tree);
}

/// The type of the operands; each that has another is reported.
LeanType ExprTyper::settle(Tree& tree, const LeanType& expected) {
  const auto rank = [](const LeanType& type) {
    return type.is("Nat") ? 1 : type.is("Int") ? 2 : type.is("Bool") ? 3 : 4;
  };
  LeanType target;
  for (const auto& [leaf, type] : tree.leaves) {
    const LeanType each = resolve(type);
    const bool first = !target.known();
    const bool wider =
        !first && coerces(target, each) && !isMeta(each) && each.known() && rank(each) > rank(target);
    if (each.known() && !isMeta(each) && (first || wider))
      target = each;
  }
  const LeanType wanted = resolve(expected);
  if (!target.known())
    target = wanted.known() ? wanted : tree.leaves.empty() ? fresh() : tree.leaves[0].second;
  else if (target.is("Nat") && coerces(target, wanted) && wanted.known() && !isMeta(wanted))
    target = wanted;
  for (const auto& [leaf, type] : tree.leaves)
    if (!coerces(type, target))
      mismatch(*leaf, type, target);
  return target;
}

LeanType ExprTyper::arithmetic(const Expr& expr, const LeanType& expected) {
  Tree tree;
  collect(expr, tree);
  LeanType target = settle(tree, expected.is("Bool") || expected.is("Prop") ? unknown : expected);
  const LeanType type = resolve(target);
  for (const Expr* node : tree.nodes) {
    m_types.emplace_back(node, target);
    const bool negates = node->form == Form::Unary;
    if (isMeta(type)) {
      Meta& meta = m_metas[std::stoul(type.head.substr(1))];
      meta.isNumber = true;
      meta.isNegated |= negates;
    } else if (type.known() && !takesNumbers(type)) {
      const std::string op = negates ? "-" : infix(node->binary).text;
      const std::string advice = isPlainVariable(type) ? ": write Plumbline.Scalar's" : "";
      report(node->range, "type-mismatch", shown(type) + " has no " + op + advice);
      return target;
    } else if (negates && type.is("Nat")) {
      report(node->range, "type-mismatch", "Nat has no negation: write (x : Int)");
    } else if (!negates && node->binary == BinaryOp::Modulo && (type.is("Float32") || type.is("Float"))) {
      report(node->range, "type-mismatch", type.head + " has no %");
    }
  }
  return target;
}

LeanType ExprTyper::powerType(const Expr& expr) {
  LeanType base = infer(*expr.args[0]);
  if (const LeanType type = resolve(base); type.known() && !isMeta(type) && !takesNumbers(type))
    report(expr.range, "type-mismatch", shown(type) + " has no ^");
  const LeanType exponent = infer(*expr.args[1]);
  if (!unify(exponent, nat))
    mismatch(*expr.args[1], exponent, nat);
  return base;
}

LeanType ExprTyper::comparison(const Expr& expr) {
  Tree tree;
  collect(*expr.args[0], tree);
  collect(*expr.args[1], tree);
  const LeanType target = settle(tree, unknown);
  const LeanType type = resolve(target);
  for (const Expr* node : tree.nodes) {
    m_types.emplace_back(node, target);
    if (type.known() && !isMeta(type) && !takesNumbers(type)) {
      report(node->range, "type-mismatch",
             shown(type) + " has no " + (node->form == Form::Unary ? "-" : infix(node->binary).text));
      break;
    }
    if (node->form == Form::Unary && type.is("Nat"))
      report(node->range, "type-mismatch", "Nat has no negation: write (x : Int)");
  }
  const bool isOrder = expr.binary == BinaryOp::LessEqual || expr.binary == BinaryOp::Less ||
                       expr.binary == BinaryOp::GreaterEqual || expr.binary == BinaryOp::Greater;
  const bool isBool = expr.binary == BinaryOp::BoolEqual || expr.binary == BinaryOp::BoolNotEqual;
  const bool isUnordered =
      type.is("Prop") || type.is("→") || type.is("×") || type.is("Unit") || isPlainVariable(type);
  if ((isOrder && isUnordered) || (isBool && (type.is("→") || isPlainVariable(type))))
    report(expr.range, "type-mismatch", shown(type) + " has no " + infix(expr.binary).text);
  return isBool ? boolean : prop;
}

// --- Binders and the rest ---

LeanType ExprTyper::ifType(const Expr& expr) {
  check(*expr.args[0], prop);
  LeanType first = infer(*expr.args[1]);
  LeanType second = infer(*expr.args[2]);
  if (coerces(second, first))
    return first;
  if (!coerces(first, second))
    mismatch(*expr.args[2], second, first);
  return second;
}

LeanType ExprTyper::quantified(const Expr& expr) {
  locals.push_back({expr.text, expr.type.empty() ? fresh() : typeFrom(expr.type, expr.typeRange)});
  check(*expr.args[0], prop);
  locals.pop_back();
  return prop;
}

LeanType ExprTyper::lambdaType(const Expr& expr, const LeanType& expected) {
  const LeanType parameter = expr.type.empty() ? fresh() : typeFrom(expr.type, expr.typeRange);
  const bool isKnown = expected.is("→");
  if (isKnown && !unify(parameter, expected.args[0]))
    report(expr.typeRange, "type-mismatch",
           "this is " + shown(parameter) + ", and " + shown(expected.args[0]) + " is expected");
  locals.push_back({expr.text, parameter});
  LeanType result;
  if (isKnown) {
    result = expected.args[1];
    check(*expr.args[0], result);
  } else {
    result = infer(*expr.args[0]);
  }
  locals.pop_back();
  return arrow(parameter, result);
}

LeanType ExprTyper::sumType(const Expr& expr) {
  const LeanType domain = resolve(infer(*expr.args[0]));
  locals.push_back({expr.text, domain.args.size() == 1 ? domain.args[0] : unknown});
  LeanType type = infer(*expr.args[1]);
  locals.pop_back();
  return type;
}

void ExprTyper::finish() {
  for (const auto& [expr, type] : m_types)
    m_result.types[expr] = complete(type);
  m_types.clear();
}

} // namespace plumbline::velvet
