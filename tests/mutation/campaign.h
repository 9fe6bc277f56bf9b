// Mutants of all bases, what they really do, and what the check says about them.
#pragma once

#include "core/session/check_pool.h"
#include "core/session/verdict.h"
#include "tests/mutation/mutator.h"
#include "tests/mutation/oracle.h"

namespace plumbline::mutation {

/// What the check said, as the bars count it.
enum class Answer : uint8_t { Equal, Different, Refused, Rejected, Undetermined, Conflict, Failed };
std::string_view name(Answer answer);

struct Result {
  const Base* base = nullptr;
  Mutant mutant;
  Judgement judgement;
  Answer answer = Answer::Failed;
  std::string reason; ///< the check's words when it is not a positive answer
  double timeMs = 0;
};

struct CampaignOptions {
  size_t sampleQuota = 8; ///< mutants of one kind and sample
  size_t ownQuota = 5;    ///< mutants of one kind and base of this folder
  OracleEffort effort;
  std::string onlyBase; ///< empty: all
};

/// Options from the environment: PLUMBLINE_MUTANTS=all for every mutant, PLUMBLINE_MUTATION_BASE for one
/// base.
CampaignOptions campaignOptions();

/// Runs everything; progress goes to standard error. Errors: those of NativeBatch and of reading a base.
Expected<std::vector<Result>> runCampaign(const CampaignOptions& options);

/// What the check says about `text` as the kernel of `base`. With a witness, its values at the differing
/// element.
struct Checked {
  Answer answer = Answer::Failed;
  std::string reason;
  std::optional<std::vector<uint32_t>> witness;
  double timeMs = 0;
};
Checked checkText(const Base& base, const std::string& text, session::CheckPool& pool);

/// A table of truth against answer, and one line for each result that is not the expected one.
std::string report(const std::vector<Result>& results);

} // namespace plumbline::mutation
