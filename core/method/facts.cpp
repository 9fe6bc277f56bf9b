#include "core/method/facts.h"

#include "core/method/float_text.h"
#include "core/method/refusal.h"

#include <algorithm>

namespace plumbline::method {

using velvet::BinaryOp;
using velvet::ExprPtr;
using velvet::Form;

namespace {

using Values = std::map<std::string, ExprPtr>;

/// Names replaced by values.
ExprPtr substituted(const ExprPtr& expr, const Values& values) {
  if (expr->form == Form::Name) {
    const auto found = values.find(expr->text);
    return found != values.end() ? found->second : expr;
  }
  velvet::Expr made = *expr;
  for (ExprPtr& arg : made.args)
    arg = substituted(arg, values);
  return std::make_shared<const velvet::Expr>(std::move(made));
}

bool contains(const ExprPtr& expr, Form form) {
  return expr->form == form ||
         std::ranges::any_of(expr->args, [&](const ExprPtr& arg) { return contains(arg, form); });
}

/// A proposition defined in the document is put in place, so that what is decided has no name in front.
ExprPtr withoutPredicate(const ExprPtr& claim, const OutputText& spec) {
  const velvet::Definition& last = spec.definitions.back();
  if (last.type != "Prop" || claim->form != Form::Apply || claim->args[0]->text != last.name)
    return claim;
  Values arguments;
  for (size_t i = 0; i < last.binders.size(); ++i)
    arguments[last.binders[i].name] = claim->args[i + 1];
  return substituted(last.value, arguments);
}

/// That `value` is allowed at `index`, with everything it refers to replaced.
ExprPtr allowed(const OutputText& spec, const ExprPtr& value, int64_t index, const Values& values) {
  const ExprPtr claim = withoutPredicate(spec.holds(value, velvet::number(index)), spec);
  if (contains(claim, Form::Exists))
    refuse("no-closed-fact", "more open zero signs than are listed");
  return substituted(claim, values);
}

ExprPtr arrayText(const std::vector<uint32_t>& bits) {
  if (bits.size() > largestWitness)
    refuse("no-closed-fact", "a tensor of " + std::to_string(bits.size()) + " elements");
  std::vector<ExprPtr> elements;
  elements.reserve(bits.size());
  for (const uint32_t element : bits)
    elements.push_back(bitsText(element));
  return velvet::arrayOf(std::move(elements));
}

/// Every size and array that a claim about an output may refer to; those without a value are refused.
Values valuesOf(const OutputText& spec, const Environment& environment,
                const std::map<std::string, ExprPtr>& arrays, const std::map<std::string, int64_t>& sizes) {
  Values values;
  for (const auto& [tensor, array] : arrays)
    if (const auto buffer = environment.buffers.find(tensor); buffer != environment.buffers.end())
      values[buffer->second.entry] = array;
  for (const auto& [symbol, value] : sizes)
    if (const auto name = environment.sizes.find(symbol); name != environment.sizes.end())
      values[name->second] = velvet::number(value);
  const ExprPtr probe = spec.holds(velvet::name("true"), velvet::number(0));
  const velvet::Expr& call = probe->form == Form::Binary ? *probe->args[1] : *probe;
  for (size_t i = 1; i < call.args.size(); ++i)
    if (const velvet::Expr& arg = *call.args[i];
        arg.form == Form::Name && arg.text != "true" && !values.contains(arg.text))
      refuse("no-closed-fact", "'" + arg.text + "', which has no value here");
  return values;
}

velvet::Tactic command(const std::string& text) {
  velvet::Tactic tactic;
  tactic.word = text.substr(0, text.find(' '));
  tactic.text = text;
  return tactic;
}

/// first | decide +kernel | decide
velvet::Tactic decision() {
  velvet::Tactic first;
  first.kind = velvet::TacticKind::First;
  first.word = "first";
  for (const char* text : {"decide +kernel", "decide"}) {
    velvet::Tactic alternative;
    alternative.kind = velvet::TacticKind::Sequence;
    alternative.body = {command(text)};
    first.body.push_back(std::move(alternative));
  }
  return first;
}

} // namespace

ExprPtr sweptValue() {
  return velvet::apply("Float32.ofBits", {velvet::name("bits")});
}

velvet::Item witnessTheorem(const WitnessFact& fact, const OutputText& spec, const Environment& environment,
                            const std::string& name) {
  std::map<std::string, ExprPtr> arrays;
  for (const auto& [tensor, bits] : fact.tensors)
    arrays[tensor] = arrayText(bits);
  const Values values = valuesOf(spec, environment, arrays, fact.sizes);
  const ExprPtr found = bitsText(fact.kernelBits);
  velvet::Theorem theorem;
  theorem.name = name;
  theorem.doc = "Witness: on this input the kernel gives a value that the module does not allow.";
  theorem.origin = {{}, {}, false};
  theorem.scriptOrigin = {{}, {}, false};
  theorem.statement =
      velvet::binary(BinaryOp::And, velvet::binary(BinaryOp::Equal, fact.kernel, found),
                     velvet::unary(velvet::UnaryOp::Not, allowed(spec, found, fact.index, values)));
  theorem.script = {decision()};
  return theorem;
}

std::vector<velvet::Item> sweepTheorem(const SweepFact& fact, const OutputText& spec,
                                       const Environment& environment, const std::string& name) {
  const Values values = valuesOf(spec, environment, {{fact.tensor, velvet::arrayOf({sweptValue()})}}, {});
  velvet::Definition at;
  at.name = name + "_at";
  at.doc = "Whether the module allows the kernel's value at this bit pattern.";
  at.binders = {{"bits", "UInt32", velvet::Bracket::Round, {}}};
  at.type = "Bool";
  at.value = velvet::apply("decide", {allowed(spec, fact.kernel, 0, values)});
  at.origin = {{}, {}, false};
  at.valueOrigin = {{}, {}, false};
  velvet::Theorem theorem;
  theorem.name = name;
  theorem.doc = "All 2^32 bit patterns. Axiom: native evaluation.";
  theorem.binders = at.binders;
  theorem.statement =
      velvet::binary(BinaryOp::Equal, velvet::apply(at.name, {velvet::name("bits")}), velvet::name("true"));
  theorem.script = {command("exact Plumbline.sweep_all " + at.name + " (by native_decide) bits")};
  theorem.origin = {{}, {}, false};
  theorem.scriptOrigin = {{}, {}, false};
  return {std::move(at), std::move(theorem)};
}

} // namespace plumbline::method
