#include "tests/mutation/campaign.h"

#include "core/base/json.h"
#include "core/session/comparison.h"

#include <array>
#include <cstdlib>
#include <iostream>

namespace plumbline::mutation {
namespace {

using Clock = std::chrono::steady_clock;

Answer answerOf(const session::Verdict& verdict) {
  if (!verdict.rejections.empty())
    return Answer::Rejected;
  if (verdict.gate && verdict.gate->status == gate::GateStatus::Refused)
    return Answer::Refused;
  switch (session::overall(verdict)) {
  case session::Relation::Equal:
  case session::Relation::EqualModulo: return Answer::Equal;
  case session::Relation::Different: return Answer::Different;
  case session::Relation::Conflict: return Answer::Conflict;
  case session::Relation::Undetermined: return verdict.error ? Answer::Failed : Answer::Undetermined;
  default: return Answer::Failed;
  }
}

/// The values at the element of the witness, for each input in the order of their names in the graph.
std::optional<std::vector<uint32_t>> valuesOf(const Base& base, const session::CheckOutcome& outcome) {
  const std::vector<session::ReadingResult>& readings = outcome.verdict.readings;
  if (readings.empty() || !outcome.comparison->graph)
    return std::nullopt;
  const std::optional<session::Witness>& witness = readings.front().witness;
  if (!witness)
    return std::nullopt;
  std::vector<uint32_t> values;
  for (const auto& input : outcome.comparison->graph->inputs) {
    const auto found = witness->inputs.find(input.name);
    if (found == witness->inputs.end() || found->second.bits.empty())
      return std::nullopt;
    values.push_back(found->second.bits[static_cast<size_t>(witness->index) % found->second.bits.size()]);
  }
  return values.size() == base.inputs ? std::optional(values) : std::nullopt;
}

/// Texts with the same device code and launch arguments compute the same values once their launch is right.
std::string valueKey(const std::string& text) {
  const size_t host = text.find("torch::Tensor forward");
  const size_t launch = text.find("<<<");
  return text.substr(0, host) + text.substr(std::min(text.size(), text.find(">>>", launch)));
}

void judgeBase(const Base& base, const CampaignOptions& options, session::CheckPool& pool,
               const NativeBatch& batch, std::vector<Result>& results) {
  Oracle oracle(base, batch, options.effort);
  double oracleMs = 0;
  double checkMs = 0;
  for (size_t i = 0; i < results.size(); ++i) {
    Result& result = results[i];
    const auto start = Clock::now();
    result.judgement = oracle.judge(i, valueKey(result.mutant.text));
    oracleMs += std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    if (result.judgement.truth == Truth::Uncompilable)
      continue;
    const Checked checked = checkText(base, result.mutant.text, pool);
    result.answer = checked.answer;
    result.reason = checked.reason;
    result.timeMs = checked.timeMs;
    checkMs += checked.timeMs;
    // What sampling missed, a witness can still show.
    if (result.judgement.truth == Truth::Equivalent && !result.judgement.complete && checked.witness)
      if (std::optional<std::string> shown = oracle.separates(i, *checked.witness))
        result.judgement = {Truth::Different, *shown, false};
    if (i % 10 == 9 || i + 1 == results.size())
      std::cerr << "\r" << base.name << ": " << i + 1 << "/" << results.size() << " mutants, oracle "
                << static_cast<int>(oracleMs / 1000) << " s, checks " << static_cast<int>(checkMs / 1000)
                << " s   " << std::flush;
  }
  std::cerr << "\n";
}

bool isExpected(const Result& result) {
  switch (result.judgement.truth) {
  case Truth::Uncompilable: return true;
  case Truth::Equivalent: return result.answer == Answer::Equal;
  case Truth::Misbehaving:
  case Truth::Different: return result.answer == Answer::Different || result.answer == Answer::Refused;
  }
  return false;
}

} // namespace

std::string_view name(Answer answer) {
  static constexpr std::string_view names[] = {"equal",        "different", "refused", "rejected",
                                               "undetermined", "conflict",  "failed"};
  return names[static_cast<size_t>(answer)];
}

CampaignOptions campaignOptions() {
  CampaignOptions options;
  if (const char* amount = std::getenv("PLUMBLINE_MUTANTS"); amount && std::string_view(amount) == "all") {
    options.sampleQuota = options.ownQuota = SIZE_MAX;
    options.effort.randomChunks = 4096;
  }
  if (const char* base = std::getenv("PLUMBLINE_MUTATION_BASE"))
    options.onlyBase = base;
  return options;
}

Checked checkText(const Base& base, const std::string& text, session::CheckPool& pool) {
  session::CheckOptions options;
  options.model = (base.folder / "graph.json").string();
  options.kernel = (base.folder / "kernel.cu").string();
  options.kernelText = text;
  const session::CheckOutcome outcome = session::runCheck(options, pool, StopToken(), {});
  Checked checked{answerOf(outcome.verdict), session::reasonOf(outcome.verdict), valuesOf(base, outcome),
                  outcome.verdict.timeMs};
  if (!outcome.verdict.rejections.empty())
    checked.reason = outcome.verdict.rejections.front().id;
  return checked;
}

Expected<std::vector<Result>> runCampaign(const CampaignOptions& options) {
  std::vector<Result> all;
  session::CheckPool pool;
  for (const Base& base : allBases()) {
    if (!options.onlyBase.empty() && base.name != options.onlyBase)
      continue;
    const Expected<std::string> text = readFile(base.folder / "kernel.cu");
    if (!text)
      return fail(text.error());
    std::vector<Result> results;
    std::vector<std::string> texts;
    for (Mutant& mutant : select(allMutants(*text), base.sample ? options.sampleQuota : options.ownQuota)) {
      texts.push_back(mutant.text);
      results.push_back({&base, std::move(mutant), {}, Answer::Failed, "", 0});
    }
    std::cerr << base.name << ": compiling " << texts.size() << " mutants" << std::flush;
    const Expected<NativeBatch> batch = NativeBatch::compile(base, texts);
    if (!batch)
      return fail(batch.error());
    judgeBase(base, options, pool, *batch, results);
    for (Result& result : results)
      all.push_back(std::move(result));
  }
  return all;
}

std::string report(const std::vector<Result>& results) {
  std::map<Truth, std::array<size_t, 7>> table;
  std::string lines;
  for (const Result& result : results) {
    if (result.judgement.truth == Truth::Uncompilable)
      continue;
    ++table[result.judgement.truth][static_cast<size_t>(result.answer)];
    if (!isExpected(result))
      lines += "  " + result.base->name + " [" + result.mutant.kind + "] " + result.mutant.note +
               "\n    really " + std::string(name(result.judgement.truth)) + " (" + result.judgement.detail +
               "); the check says " + std::string(name(result.answer)) + " (" + result.reason + ")\n";
  }
  std::string text = "really        equal different refused rejected undetermined conflict failed\n";
  for (const auto& [truth, counts] : table) {
    std::string row(name(truth));
    row.resize(14, ' ');
    for (const size_t count : counts) {
      const std::string number = std::to_string(count);
      row += number + std::string(number.size() < 9 ? 9 - number.size() : 1, ' ');
    }
    text += row + "\n";
  }
  return text + (lines.empty() ? "" : "not as expected:\n" + lines);
}

} // namespace plumbline::mutation
