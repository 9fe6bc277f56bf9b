#include "core/velvet/tactic_printer.h"

#include "core/velvet/names.h"

#include <algorithm>

namespace plumbline::velvet {
namespace {

using Lines = std::vector<std::string>;

Lines printTactic(const Tactic& tactic);

Lines splitLines(const std::string& text) {
  Lines lines;
  size_t start = 0;
  for (size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', start)) {
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  lines.push_back(text.substr(start));
  return lines;
}

Lines indented(Lines lines, const std::string& first, const std::string& others) {
  for (size_t i = 0; i < lines.size(); ++i)
    if (!lines[i].empty())
      lines[i].insert(0, i == 0 ? first : others);
  return lines;
}

/// One command on one line: it may follow its head.
bool isShort(const std::vector<Tactic>& body) {
  return body.size() == 1 && body[0].kind == TacticKind::Command &&
         body[0].text.find('\n') == std::string::npos;
}

/// `head body`, on one line where the body is one command.
Lines headed(const std::string& head, const std::vector<Tactic>& body) {
  if (isShort(body))
    return {head + " " + body[0].text};
  Lines lines{head};
  for (std::string& line : indented(printScript(body), "  ", "  "))
    lines.push_back(std::move(line));
  return lines;
}

/// Whether the printed text ends in a comment up to the line's end.
bool endsInComment(const std::vector<Tactic>& body) {
  if (body.empty())
    return false;
  const Tactic& last = body.back();
  if (last.kind == TacticKind::First) // its alternatives are written without parentheses
    return !last.body.empty() && endsInComment(last.body.back().body);
  return last.kind == TacticKind::Comment ||
         (last.kind != TacticKind::Sequence && last.kind != TacticKind::Then && endsInComment(last.body));
}

Lines parenthesised(const std::vector<Tactic>& body) {
  Lines lines = indented(printScript(body), "(", " ");
  if (lines.empty())
    lines.emplace_back("(");
  if (endsInComment(body))
    lines.emplace_back(" )");
  else
    lines.back() += ")";
  return lines;
}

/// As an operand of <;> or an argument.
Lines operand(const Tactic& tactic) {
  const bool plain = tactic.kind == TacticKind::Command || tactic.kind == TacticKind::Sequence ||
                     (tactic.kind == TacticKind::Try && isShort(tactic.body));
  return plain ? printTactic(tactic) : parenthesised({tactic});
}

size_t columnsOf(const std::string& line) {
  return static_cast<size_t>(std::ranges::count_if(line, [](unsigned char c) { return (c & 0xC0) != 0x80; }));
}

Lines then(const Tactic& tactic) {
  Lines lines = tactic.body[0].kind == TacticKind::Then ? then(tactic.body[0]) : operand(tactic.body[0]);
  lines.back() += " <;> ";
  // Layout counts: the right side keeps its shape behind the left one. A command's further lines are relative
  // to the column of the whole, whatever stands before it.
  const bool isCommand = tactic.body[1].kind == TacticKind::Command;
  const std::string others(isCommand ? 0 : columnsOf(lines.back()), ' ');
  const Lines right = operand(tactic.body[1]);
  lines.back() += right.empty() ? "" : right[0];
  for (size_t i = 1; i < right.size(); ++i)
    lines.push_back(right[i].empty() ? "" : others + right[i]);
  return lines;
}

Lines alternatives(const Tactic& tactic) {
  std::string line = "first";
  Lines lines{line};
  const bool isOneLine =
      std::ranges::all_of(tactic.body, [](const Tactic& each) { return isShort(each.body); });
  for (const Tactic& each : tactic.body) {
    if (isOneLine)
      line += " | " + each.body[0].text;
    else
      for (std::string& part : indented(printScript(each.body), "  | ", "    "))
        lines.push_back(std::move(part));
  }
  return isOneLine ? Lines{line} : lines;
}

std::string caseHead(const Tactic& tactic) {
  std::string head = "case " + quoted(tactic.label);
  for (const std::string& each : tactic.names)
    head += " " + (each == "_" ? each : quoted(each));
  return head + " =>";
}

Lines printTactic(const Tactic& tactic) {
  switch (tactic.kind) {
  case TacticKind::Command: return splitLines(tactic.text);
  case TacticKind::Comment:
    return splitLines(tactic.text.starts_with("/-") ? tactic.text : "-- " + tactic.text);
  case TacticKind::Bullet: return indented(printScript(tactic.body), "· ", "  ");
  case TacticKind::Case: return headed(caseHead(tactic), tactic.body);
  case TacticKind::Sequence: return parenthesised(tactic.body);
  case TacticKind::Then: return then(tactic);
  case TacticKind::AllGoals: return headed("all_goals", tactic.body);
  case TacticKind::AnyGoals: return headed("any_goals", tactic.body);
  case TacticKind::Try: return headed("try", tactic.body);
  case TacticKind::Repeat: return headed("repeat", tactic.body);
  case TacticKind::Focus: return headed("focus", tactic.body);
  case TacticKind::First: return alternatives(tactic);
  }
  return {};
}

} // namespace

std::vector<std::string> printScript(const std::vector<Tactic>& script) {
  Lines lines;
  for (const Tactic& tactic : script)
    for (std::string& line : printTactic(tactic))
      lines.push_back(std::move(line));
  return lines;
}

} // namespace plumbline::velvet
