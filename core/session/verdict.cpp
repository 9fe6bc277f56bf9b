#include "core/session/verdict.h"

#include <algorithm>
#include <bit>
#include <cstdio>

namespace plumbline::session {

using gate::GateStatus;

std::string_view name(Reading reading) {
  switch (reading) {
  case Reading::Ieee: return "ieee";
  case Reading::Real: return "real";
  case Reading::TorchCuda: return "device:torch-cuda";
  case Reading::NvccSm75: return "device:nvcc-sm_75";
  case Reading::NvccSm80: return "device:nvcc-sm_80";
  case Reading::NvccSm86: return "device:nvcc-sm_86";
  case Reading::NvccSm89: return "device:nvcc-sm_89";
  case Reading::NvccSm90: return "device:nvcc-sm_90";
  case Reading::NvccSm100: return "device:nvcc-sm_100";
  case Reading::NvccSm120: return "device:nvcc-sm_120";
  }
  return "ieee";
}

std::string_view nvccArch(Reading reading) {
  constexpr std::string_view prefix = "device:nvcc-";
  const std::string_view text = name(reading);
  return text.starts_with(prefix) ? text.substr(prefix.size()) : std::string_view();
}

Expected<Reading> readingFromName(std::string_view text) {
  static constexpr Reading all[] = {
      Reading::Ieee,     Reading::Real,     Reading::TorchCuda, Reading::NvccSm75,  Reading::NvccSm80,
      Reading::NvccSm86, Reading::NvccSm89, Reading::NvccSm90,  Reading::NvccSm100, Reading::NvccSm120};
  for (const Reading reading : all)
    if (name(reading) == text)
      return reading;
  if (text.starts_with("device:"))
    return fail(
        ErrorKind::Usage, "profile-unknown", "there is no device profile '" + std::string(text) + "'",
        "the profiles are device:torch-cuda and device:nvcc-sm_N with N 75, 80, 86, 89, 90, 100 or 120");
  return fail(ErrorKind::Usage, "reading-unknown", "reading '" + std::string(text) + "' is not available",
              "the readings are ieee, real, device:torch-cuda and device:nvcc-sm_80");
}

std::string_view name(Relation relation) {
  switch (relation) {
  case Relation::Error: return "undetermined";
  case Relation::Equal: return "equal";
  case Relation::EqualModulo: return "equal-modulo";
  case Relation::Reassociated: return "reassociated";
  case Relation::Different: return "different";
  case Relation::Undetermined: return "undetermined";
  case Relation::Conflict: return "conflict";
  }
  return "undetermined";
}

std::optional<Relation> relationFromName(std::string_view text) {
  for (Relation relation : {Relation::Equal, Relation::EqualModulo, Relation::Reassociated,
                            Relation::Different, Relation::Undetermined, Relation::Conflict})
    if (name(relation) == text)
      return relation;
  return std::nullopt;
}

std::string_view name(GoalStatus status) {
  switch (status) {
  case GoalStatus::Open: return "open";
  case GoalStatus::Closed: return "closed";
  case GoalStatus::Witnessed: return "witnessed";
  case GoalStatus::Conflict: return "conflict";
  }
  return "open";
}

namespace {

bool anyConflict(const Verdict& verdict) {
  return std::any_of(verdict.readings.begin(), verdict.readings.end(),
                     [](const ReadingResult& result) { return result.relation == Relation::Conflict; });
}

bool refused(const Verdict& verdict) {
  return verdict.gate && verdict.gate->status == GateStatus::Refused;
}

Json replayJson(Replay replay) {
  if (replay == Replay::NotRun)
    return "not run";
  return replay == Replay::Confirmed;
}

Json tensorJson(const WitnessTensor& tensor, Reading reading) {
  Json json{{"shape", tensor.shape}, {"dtype", "float32"}};
  if (isBinary32(reading))
    json["bits"] = tensor.bits;
  else
    json["rationals"] = tensor.rationals;
  return json;
}

Json toJson(const Witness& witness) {
  Json inputs = Json::object();
  for (const auto& [tensor, content] : witness.inputs)
    inputs[tensor] = tensorJson(content, witness.reading);
  Json initial = Json::object();
  for (const auto& [tensor, content] : witness.initial)
    initial[tensor] = tensorJson(content, witness.reading);
  Json json{{"reading", name(witness.reading)},
            {"inputs", inputs},
            {"initial", initial},
            {"output", witness.output},
            {"index", witness.index},
            {"spec", witness.spec},
            {"kernel", witness.kernel},
            {"replayed",
             {{"interpreter", replayJson(witness.interpreter)},
              {"pytorch", replayJson(witness.pytorch)},
              {"gpu", "not run"}}}};
  if (!witness.pytorchValue.empty())
    json["pytorch_value"] = witness.pytorchValue;
  return json;
}

Json toJson(const Scope& scope) {
  Json ranges = Json::object();
  for (const auto& [symbol, range] : scope.ranges)
    ranges[symbol] = Json::array({range.first, range.second});
  return {{"kind", scope.kind}, {"ranges", ranges}, {"shape", scope.shape}, {"conditions", scope.conditions}};
}

Json toJson(const gate::FindingPicture& picture) {
  Json accesses = Json::array();
  for (const gate::PictureAccess& access : picture.accesses)
    accesses.push_back({{"block", access.thread.block},
                        {"thread", access.thread.thread},
                        {"index", access.index},
                        {"access", access.atomic  ? "atomic"
                                   : access.write ? "write"
                                                  : "read"},
                        {"span", plumbline::toJson(access.where)}});
  return {{"array", picture.buffer},
          {"index", picture.index},
          {"length", picture.length},
          {"accesses", accesses}};
}

Json toJson(const gate::Finding& finding) {
  Json spans = Json::array();
  for (const SourceRange& span : finding.spans)
    spans.push_back(plumbline::toJson(span));
  Json threads = Json::array();
  for (const ir::ThreadId& thread : finding.threads)
    threads.push_back({{"block", thread.block}, {"thread", thread.thread}});
  Json sizes = Json::object();
  for (const auto& [symbol, value] : finding.sizes)
    sizes[symbol] = value;
  Json json{{"kind", finding.kind}, {"message", finding.message},  {"spans", spans}, {"threads", threads},
            {"sizes", sizes},       {"replayed", finding.replayed}};
  if (finding.picture)
    json["picture"] = toJson(*finding.picture);
  return json;
}

std::string_view statusOf(const gate::IndexProof& proof) {
  if (proof.conflict)
    return "conflict";
  switch (proof.status) {
  case gate::ProofStatus::Proved: return "proved";
  case gate::ProofStatus::Refuted: return "refuted";
  case gate::ProofStatus::Unknown: return "open";
  }
  return "open";
}

Json obligationsJson(const gate::GateReport& report) {
  Json list = Json::array();
  for (const gate::ObligationResult& each : report.obligations) {
    Json json{{"name", each.name},
              {"status", statusOf(each.proof)},
              {"engine", each.proof.engine},
              {"encoding", each.proof.encoding},
              {"agreed", each.proof.engine.find('+') != std::string::npos},
              {"time_ms", each.proof.timeMs}};
    if (each.where.known())
      json["span"] = plumbline::toJson(each.where);
    list.push_back(std::move(json));
  }
  return list;
}

} // namespace

Json toJson(const gate::GateReport& report) {
  Json findings = Json::array();
  for (const gate::Finding& finding : report.findings)
    findings.push_back(toJson(finding));
  Json json{{"status", gate::name(report.status)}, {"findings", findings}};
  if (!report.obligations.empty())
    json["obligations"] = obligationsJson(report);
  for (const gate::OrderDependence& each : report.orderDependent)
    json["order_dependent"].push_back({{"array", each.array}, {"span", plumbline::toJson(each.where)}});
  if (!report.hypotheses.empty())
    json["hypotheses"] = report.hypotheses;
  for (const Rejection& rejection : report.rejections)
    json["rejections"].push_back(plumbline::toJson(rejection));
  if (report.status == GateStatus::Accepted || report.status == GateStatus::Refused)
    return json;
  json["reason"] = report.reason;
  if (const std::string next = gate::nextStep(report); !next.empty())
    json["next"] = next;
  const std::string kind = report.status == GateStatus::Unsupported ? "unsupported" : "open-obligation";
  json["findings"].push_back({{"kind", kind},
                              {"message", report.reason.empty() ? kind : report.reason},
                              {"spans", Json::array()},
                              {"threads", Json::array()},
                              {"sizes", Json::object()},
                              {"replayed", false}});
  return json;
}

namespace {

Json toJson(const Goal& goal) {
  Json spans = Json::array();
  for (const SourceRange& span : goal.spans)
    spans.push_back(plumbline::toJson(span));
  Json evidence = Json::array();
  for (const Evidence& item : goal.evidence)
    evidence.push_back({{"engine", item.engine},
                        {"result", item.result},
                        {"artefact", item.artefact},
                        {"time_ms", item.timeMs}});
  Json json{{"name", goal.name}, {"status", name(goal.status)}};
  if (!goal.reading.empty())
    json["reading"] = goal.reading;
  json["statement"] = goal.statement;
  json["spans"] = spans;
  json["evidence"] = evidence;
  return json;
}

Json orNull(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

const Witness* shownWitness(const Verdict& verdict) {
  if (refused(verdict) || !verdict.rejections.empty())
    return nullptr;
  for (const ReadingResult& result : verdict.readings)
    if (result.witness)
      return &*result.witness;
  return nullptr;
}

} // namespace

Relation overall(const Verdict& verdict) {
  if (anyConflict(verdict))
    return Relation::Conflict;
  if (verdict.error || !verdict.rejections.empty() || refused(verdict) || verdict.readings.empty())
    return Relation::Undetermined;
  const Relation first = verdict.readings.front().relation;
  return first == Relation::Error ? Relation::Undetermined : first;
}

std::string reasonOf(const Verdict& verdict) {
  if (verdict.error)
    return verdict.error->message;
  if (!verdict.rejections.empty())
    return "rejected: " + verdict.rejections.front().construct + " [" + verdict.rejections.front().id + "]";
  if (refused(verdict))
    return "the safety gate refused the kernel: " + verdict.gate->findings.front().kind;
  if (verdict.readings.empty())
    return "nothing was checked";
  return verdict.readings.front().reason;
}

Json toJson(const Verdict& verdict) {
  Json readings = Json::array();
  for (const ReadingResult& result : verdict.readings) {
    Json entry{{"reading", name(result.reading)}, {"relation", name(result.relation)},
               {"modulo", result.modulo},         {"scope", result.scope ? toJson(*result.scope) : Json()},
               {"reason", orNull(result.reason)}, {"next", orNull(result.next)}};
    if (result.witness && shownWitness(verdict) != nullptr)
      entry["witness"] = toJson(*result.witness);
    readings.push_back(std::move(entry));
  }
  Json goals = Json::array();
  for (const Goal& goal : verdict.goals)
    goals.push_back(toJson(goal));
  Json hypotheses = Json::array();
  for (const gate::Hypothesis& known : verdict.hypotheses)
    hypotheses.push_back({{"text", known.text}, {"origin", known.origin}});
  Json rejections = Json::array();
  for (const Rejection& rejection : verdict.rejections)
    rejections.push_back(plumbline::toJson(rejection));
  const Witness* witness = shownWitness(verdict);
  Json json{{"schema", 1},
            {"verdict", name(overall(verdict))},
            {"reason", orNull(reasonOf(verdict))},
            {"readings", readings},
            {"witness", witness != nullptr ? toJson(*witness) : Json()},
            {"gate", verdict.gate ? toJson(*verdict.gate) : Json()},
            {"goals", goals},
            {"opaque", verdict.opaque},
            {"assumptions", verdict.assumptions},
            {"hypotheses", hypotheses},
            {"rejections", rejections},
            {"notes", verdict.notes},
            {"time_ms", verdict.timeMs}};
  if (verdict.error)
    json["error"] = {
        {"id", verdict.error->id}, {"message", verdict.error->message}, {"next", verdict.error->next}};
  return json;
}

int exitCode(const Verdict& verdict, const std::set<Relation>& accepted) {
  const bool rejectedError = verdict.error && verdict.error->kind == ErrorKind::Rejected;
  if (verdict.error && !rejectedError)
    return 4;
  if (rejectedError || !verdict.rejections.empty() ||
      (verdict.gate && verdict.gate->status == GateStatus::Unsupported))
    return 3;
  if (anyConflict(verdict))
    return 6;
  if (refused(verdict))
    return 5;
  bool weaker = verdict.readings.empty() || !verdict.gate || verdict.gate->status != GateStatus::Accepted;
  bool different = false;
  for (const ReadingResult& result : verdict.readings) {
    const bool fine = result.relation == Relation::Equal || accepted.contains(result.relation);
    different |= result.relation == Relation::Different && !fine;
    weaker |= !fine;
  }
  if (different)
    return 1;
  return weaker ? 2 : 0;
}

} // namespace plumbline::session
