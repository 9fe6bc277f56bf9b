// Time of the arithmetic prover on the questions that kernels raise, with warm solvers: one row a question.
#include "core/gate/arithmetic/arithmetic_prover.h"

#include "tests/support/arithmetic_cases.h"
#include "tests/support/arithmetic_text.h"

#include <algorithm>
#include <cstdio>

namespace {

using namespace plumbline;

constexpr int repetitions = 3;

struct Row {
  gate::IndexProof proof;
  double bestMs = 0;
  double quickUs = 0; ///< time of `quick`, negative when it does not settle the question
};

double microsecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

/// The best of some repetitions, each with a prover that has seen nothing.
Row measure(const test::ArithmeticCase& question, engine::Portfolio& portfolio) {
  Row row;
  for (int i = 0; i < repetitions; ++i) {
    logic::TermStore store;
    test::ArithmeticText text(store);
    const std::vector<logic::TermId> hypotheses = text.readAll(question.hypotheses);
    const logic::TermId goal = text.read(question.goal);
    gate::ArithmeticProver first(store, nullptr);
    const auto start = std::chrono::steady_clock::now();
    const bool settled = first.quick(hypotheses, goal);
    const double quickUs = microsecondsSince(start);
    gate::ArithmeticProver second(store, &portfolio);
    row.proof = second.prove(hypotheses, goal, {});
    if (i == 0 || row.proof.timeMs < row.bestMs)
      row.bestMs = row.proof.timeMs;
    if (i == 0 || quickUs < std::abs(row.quickUs))
      row.quickUs = settled ? quickUs : -quickUs;
  }
  return row;
}

const char* statusText(const gate::IndexProof& proof) {
  if (proof.status == gate::ProofStatus::Proved)
    return "proved";
  return proof.status == gate::ProofStatus::Refuted ? "refuted" : "UNKNOWN";
}

} // namespace

int main() {
  engine::Portfolio portfolio;
  portfolio.start();
  (void)measure(test::arithmeticCases[std::size(test::arithmeticCases) - 1], portfolio); // warms the solvers
  std::vector<double> times;
  int wrong = 0;
  std::printf("%-45s %-8s %-9s %-13s %9s %11s\n", "question", "answer", "engine", "encoding", "ms",
              "quick us");
  for (const test::ArithmeticCase& question : test::arithmeticCases) {
    const Row row = measure(question, portfolio);
    const bool right =
        row.proof.status == (question.holds ? gate::ProofStatus::Proved : gate::ProofStatus::Refuted);
    wrong += right ? 0 : 1;
    times.push_back(row.bestMs);
    std::printf("%-45s %-8s %-9s %-13s %9.3f %10.1f%s\n", std::string(question.name).c_str(),
                statusText(row.proof), row.proof.engine.c_str(), row.proof.encoding.c_str(), row.bestMs,
                std::abs(row.quickUs), row.quickUs < 0 ? "-" : "");
  }
  std::sort(times.begin(), times.end());
  std::printf("%zu questions, %d not settled as expected; median %.3f ms, worst %.1f ms\n", times.size(),
              wrong, times[times.size() / 2], times.back());
  return wrong == 0 ? 0 : 1;
}
