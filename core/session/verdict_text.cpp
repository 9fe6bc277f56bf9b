// The verdict in words: what `plumbline check` prints without --json.
#include "core/session/verdict.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <sstream>

namespace plumbline::session {

namespace {

std::string floatText(const std::string& hex) {
  if (!hex.starts_with("0x"))
    return hex;
  const auto bits = static_cast<uint32_t>(std::stoul(hex, nullptr, 16));
  char text[64];
  std::snprintf(text, sizeof text, "%.9g (%s)", static_cast<double>(std::bit_cast<float>(bits)), hex.c_str());
  return text;
}

std::string bitsText(uint32_t bits) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", bits);
  return floatText(text);
}

void printTensor(std::ostream& out, const std::string& tensor, const WitnessTensor& content) {
  constexpr size_t shown = 8;
  out << "    " << tensor << " of shape [";
  for (size_t i = 0; i < content.shape.size(); ++i)
    out << (i == 0 ? "" : ", ") << content.shape[i];
  out << "] =";
  const size_t count = content.bits.empty() ? content.rationals.size() : content.bits.size();
  for (size_t i = 0; i < count && i < shown; ++i)
    out << (i == 0 ? " " : ", ") << (content.bits.empty() ? content.rationals[i] : bitsText(content.bits[i]));
  out << (count > shown ? ", ...\n" : "\n");
}

const char* replayText(Replay replay) {
  switch (replay) {
  case Replay::Confirmed: return "reproduces it";
  case Replay::Contradicted: return "does not reproduce it";
  case Replay::NotRun: return "not run";
  }
  return "not run";
}

void printWitness(std::ostream& out, const Witness& witness) {
  out << "  On this input\n";
  for (const auto& [tensor, content] : witness.inputs)
    printTensor(out, tensor, content);
  out << "  element " << witness.index << " of " << witness.output << " is\n"
      << "    by the module: " << floatText(witness.spec) << "\n"
      << "    by the kernel: " << floatText(witness.kernel) << "\n"
      << "  Replay: interpreter " << replayText(witness.interpreter) << "\n";
}

const char* meaning(Relation relation) {
  switch (relation) {
  case Relation::Equal: return "the kernel and the module give the same value on every input";
  case Relation::EqualModulo:
    return "the same value on every input, if the functions named below are the same on both sides";
  case Relation::Reassociated: return "the same terms are added in another order";
  case Relation::Different: return "there is an input on which they differ";
  case Relation::Conflict:
    return "engines or replays contradict each other: trust nothing here and report it";
  case Relation::Undetermined:
  case Relation::Error: return "not settled";
  }
  return "not settled";
}

void printReading(std::ostream& out, const ReadingResult& result) {
  out << name(result.reading) << ": " << name(result.relation) << " - " << meaning(result.relation) << "\n";
  if (!result.modulo.empty()) {
    out << "  under:";
    for (const std::string& assumption : result.modulo)
      out << " " << assumption;
    out << "\n";
  }
  if (result.scope) {
    out << "  for " << (result.scope->kind == "all" ? "all sizes" : "the captured shape");
    const char* separator = ": ";
    for (const auto& [symbol, range] : result.scope->ranges) {
      out << separator << range.first << " <= " << symbol << " <= " << range.second;
      separator = ", ";
    }
    for (const std::string& condition : result.scope->conditions) {
      out << separator << condition;
      separator = ", ";
    }
    out << "\n";
  }
  if (!result.reason.empty())
    out << "  because: " << result.reason << "\n";
  if (!result.next.empty())
    out << "  next: " << result.next << "\n";
  if (result.witness)
    printWitness(out, *result.witness);
}

} // namespace

void printGate(std::ostream& out, const gate::GateReport& report) {
  out << "safety gate: " << gate::name(report.status);
  if (report.status != gate::GateStatus::Accepted && !report.reason.empty() && report.findings.empty())
    out << " - " << report.reason;
  out << "\n";
  for (const Rejection& rejection : report.rejections)
    out << "  " << plumbline::toString(rejection.where) << ": " << rejection.construct << " [" << rejection.id
        << "]\n";
  for (const gate::Finding& finding : report.findings) {
    out << "  " << finding.kind << ": " << finding.message << "\n";
    for (const SourceRange& span : finding.spans)
      if (span.known())
        out << "    at " << plumbline::toString(span) << "\n";
    for (const ir::ThreadId& thread : finding.threads)
      out << "    block (" << thread.block[0] << "," << thread.block[1] << "," << thread.block[2]
          << ") thread (" << thread.thread[0] << "," << thread.thread[1] << "," << thread.thread[2] << ")\n";
    for (const auto& [symbol, value] : finding.sizes)
      out << "    with " << symbol << " = " << value << "\n";
  }
  for (const gate::OrderDependence& each : report.orderDependent)
    out << "  order-dependent: float atomics on " << each.array << " at " << plumbline::toString(each.where)
        << " add in no fixed order\n";
  for (const std::string& hypothesis : report.hypotheses)
    out << "  where " << hypothesis << "\n";
}

namespace {

/// The captured input is contiguous, and no check of the wrapper says so.
bool isUncheckedLayout(const Verdict& verdict, const gate::Hypothesis& known) {
  constexpr std::string_view ending = " is contiguous";
  if (known.origin != "captured graph" || !known.text.ends_with(ending))
    return false;
  const std::string check = known.text.substr(0, known.text.size() - ending.size()) + ".is_contiguous()";
  return std::none_of(verdict.hypotheses.begin(), verdict.hypotheses.end(),
                      [&](const auto& each) { return each.origin == "wrapper" && each.text == check; });
}

/// What the wrapper, the user or a launch file contributes, and the layout that only the captured call gives;
/// the size ranges stand in the scope.
void printHypotheses(std::ostream& out, const Verdict& verdict) {
  for (const gate::Hypothesis& known : verdict.hypotheses)
    if (known.origin == "wrapper" || known.origin == "launch contract" || known.origin == "--assume" ||
        isUncheckedLayout(verdict, known))
      out << "hypothesis (" << known.origin << "): " << known.text << "\n";
}

/// "goals: 12 of 12 closed, by interval, normalise, z3"
void printGoals(std::ostream& out, const Verdict& verdict) {
  size_t closed = 0;
  std::set<std::string> engines;
  for (const Goal& goal : verdict.goals) {
    closed += goal.status == GoalStatus::Closed ? 1 : 0;
    for (const Evidence& evidence : goal.evidence)
      engines.insert(evidence.engine);
  }
  if (verdict.goals.empty())
    return;
  out << "goals: " << closed << " of " << verdict.goals.size() << " closed; engines:";
  for (const std::string& engine : engines)
    out << " " << engine;
  out << "\n";
}

void printList(std::ostream& out, const char* title, const std::set<std::string>& items) {
  const auto isSentence = [](const std::string& item) { return item.find(' ') != std::string::npos; };
  std::string line;
  for (const std::string& item : items)
    line += isSentence(item) ? "" : " " + item;
  if (!line.empty())
    out << title << ":" << line << "\n";
  for (const std::string& item : items)
    if (isSentence(item))
      out << title << ": " << item << "\n";
}

} // namespace

std::string print(const Verdict& verdict) {
  std::ostringstream out;
  if (verdict.error) {
    out << (verdict.rejections.empty() ? "error: " : "rejected: ") << plumbline::toString(*verdict.error)
        << "\n";
    return out.str();
  }
  const bool refused = verdict.gate && verdict.gate->status == gate::GateStatus::Refused;
  if (!refused)
    for (const ReadingResult& result : verdict.readings)
      printReading(out, result);
  if (verdict.gate)
    printGate(out, *verdict.gate);
  if (refused)
    out << "verdict: undetermined - a kernel that is not safe has no single meaning to compare\n";
  printHypotheses(out, verdict);
  printGoals(out, verdict);
  printList(out, "assumptions", verdict.assumptions);
  printList(out, "opaque functions", verdict.opaque);
  for (const std::string& note : verdict.notes)
    out << "note: " << note << "\n";
  char time[32];
  std::snprintf(time, sizeof time, "%.2f s\n", verdict.timeMs / 1000);
  out << time;
  return out.str();
}

} // namespace plumbline::session
