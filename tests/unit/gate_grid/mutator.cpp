#include "tests/unit/gate_grid/mutator.h"

#include <map>
#include <sstream>

namespace plumbline::gate::grid {
namespace {

std::string spliced(const std::string& text, size_t at, size_t length, const std::string& with) {
  return text.substr(0, at) + with + text.substr(at + length);
}

size_t closing(const std::string& text, size_t open, char opened, char closed) {
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    depth += text[i] == opened ? 1 : text[i] == closed ? -1 : 0;
    if (depth == 0)
      return i;
  }
  return std::string::npos;
}

class Mutator {
public:
  explicit Mutator(const KnownKernel& kernel) : m_kernel(kernel), m_text(kernel.source) {
    m_body = m_text.find('{');
  }

  std::vector<Mutant> all() {
    for (const char* barrier : {"__syncthreads();", "__syncwarp();"})
      replaceEach(barrier, "", "without a barrier");
    replaceEach(" < ", " <= ", "< becomes <=");
    replaceEach(" <= ", " < ", "<= becomes <");
    replaceEach(" >= ", " > ", ">= becomes >");
    replaceEach(" && ", " || ", "one of two guards is enough");
    guards();
    conjuncts();
    limits();
    indices();
    numbers();
    tiles();
    lines();
    grids();
    blocks();
    lengths();
    scalars();
    return std::move(m_mutants);
  }

private:
  void add(std::string what, std::string source) {
    m_mutants.push_back({std::move(what), std::move(source), m_kernel.contract});
  }

  void replaceEach(const std::string& from, const std::string& to, const std::string& what) {
    for (size_t at = m_text.find(from, m_body); at != std::string::npos; at = m_text.find(from, at + 1))
      add(what + " at " + std::to_string(at), spliced(m_text, at, from.size(), to));
  }

  void guards() {
    for (size_t at = m_text.find("if (", m_body); at != std::string::npos; at = m_text.find("if (", at + 1)) {
      const size_t end = closing(m_text, at + 3, '(', ')');
      if (end != std::string::npos)
        add("without the guard at " + std::to_string(at), spliced(m_text, at + 4, end - at - 4, "true"));
    }
  }

  bool isWord(size_t at) const {
    return std::isalnum(static_cast<unsigned char>(m_text[at])) != 0 || m_text[at] == '_' ||
           m_text[at] == '.';
  }

  /// A conjunct falls away: what follows an && up to the end of its condition, or what precedes it.
  void conjuncts() {
    const std::string both = " && ";
    for (size_t at = m_text.find(both, m_body); at != std::string::npos; at = m_text.find(both, at + 1)) {
      const size_t end = conditionEnd(at + both.size()), start = conditionStart(at);
      add("without the right conjunct at " + std::to_string(at), spliced(m_text, at, end - at, ""));
      add("without the left conjunct at " + std::to_string(at),
          spliced(m_text, start, at + both.size() - start, ""));
    }
  }

  size_t conditionEnd(size_t at) const {
    for (int depth = 0; at < m_text.size(); ++at) {
      depth += m_text[at] == '(' || m_text[at] == '[' ? 1 : m_text[at] == ')' || m_text[at] == ']' ? -1 : 0;
      if (depth < 0 || m_text[at] == ';' || (depth == 0 && (m_text[at] == '&' || m_text[at] == '?')))
        break;
    }
    while (m_text[at - 1] == ' ')
      --at;
    return at;
  }

  size_t conditionStart(size_t at) const {
    for (int depth = 0; at > m_body; --at) {
      const char before = m_text[at - 1];
      depth += before == ')' || before == ']' ? 1 : before == '(' || before == '[' ? -1 : 0;
      const bool assigns =
          before == '=' && m_text[at] == ' ' && std::string("<>=!").find(m_text[at - 2]) == std::string::npos;
      if (depth < 0 || before == ';' || (depth == 0 && (before == '&' || before == '?' || assigns)))
        break;
    }
    while (m_text[at] == ' ')
      ++at;
    return at;
  }

  /// The limit of a comparison is one more or one less than the variable.
  void limits() {
    const std::string less = " < ";
    for (size_t at = m_text.find(less, m_body); at != std::string::npos; at = m_text.find(less, at + 1)) {
      size_t end = at + less.size();
      if (std::isalpha(static_cast<unsigned char>(m_text[end])) == 0)
        continue;
      while (isWord(end))
        ++end;
      add("limit one more at " + std::to_string(at), spliced(m_text, end, 0, " + 1"));
      add("limit one less at " + std::to_string(at), spliced(m_text, end, 0, " - 1"));
    }
  }

  void indices() {
    for (size_t at = m_text.find('[', m_body); at != std::string::npos; at = m_text.find('[', at + 1)) {
      const size_t end = closing(m_text, at, '[', ']');
      if (end != std::string::npos)
        add("index shifted at " + std::to_string(at),
            spliced(m_text, at + 1, end - at - 1, "(" + m_text.substr(at + 1, end - at - 1) + ") + 1"));
    }
  }

  struct Number {
    size_t at, length;
    int value;
  };

  std::vector<Number> wholeNumbers() const {
    std::vector<Number> found;
    for (size_t at = m_body; at < m_text.size(); ++at) {
      if (std::isdigit(static_cast<unsigned char>(m_text[at])) == 0 || isWord(at - 1))
        continue;
      size_t end = at;
      while (isWord(end))
        ++end;
      const std::string number = m_text.substr(at, end - at);
      if (number.find_first_not_of("0123456789") == std::string::npos && number.size() < 6)
        found.push_back({at, end - at, std::stoi(number)});
      at = end;
    }
    return found;
  }

  void numbers() {
    for (const Number& each : wholeNumbers()) {
      add("one more at " + std::to_string(each.at),
          spliced(m_text, each.at, each.length, std::to_string(each.value + 1)));
      if (each.value > 1)
        add("one less at " + std::to_string(each.at),
            spliced(m_text, each.at, each.length, std::to_string(each.value - 1)));
    }
  }

  /// A number that stands at several places, as the size of a tile does, is another one at all of them.
  void tiles() {
    std::map<int, int> places;
    for (const Number& each : wholeNumbers())
      ++places[each.value];
    for (const auto& [value, count] : places) {
      if (value < 4 || count < 2)
        continue;
      for (const int other : {value / 2, value - 1, value + 1, value * 2})
        add("each " + std::to_string(value) + " becomes " + std::to_string(other), everywhere(value, other));
    }
  }

  std::string everywhere(int value, int other) const {
    std::string text = m_text;
    std::vector<Number> numbers = wholeNumbers();
    for (auto each = numbers.rbegin(); each != numbers.rend(); ++each)
      if (each->value == value)
        text = spliced(text, each->at, each->length, std::to_string(other));
    return text;
  }

  /// A barrier goes one line up or down.
  void lines() {
    std::vector<std::string> lines;
    std::istringstream in(m_text);
    for (std::string line; std::getline(in, line);)
      lines.push_back(line);
    for (size_t i = 1; i + 2 < lines.size(); ++i)
      for (const size_t other : {i - 1, i + 1}) {
        if (lines[i].find("__sync") == std::string::npos || other == 0)
          continue;
        std::vector<std::string> moved = lines;
        std::swap(moved[i], moved[other]);
        std::string text;
        for (const std::string& line : moved)
          text += line + "\n";
        add("barrier moved to line " + std::to_string(other + 1), std::move(text));
      }
  }

  template <class Change> void addLaunch(std::string what, Change change) {
    Mutant mutant{std::move(what), m_text, m_kernel.contract};
    change(mutant.contract);
    m_mutants.push_back(std::move(mutant));
  }

  static ir::SizeExprPtr atLeast(int64_t least, ir::SizeExpr::Kind kind, const ir::SizeExprPtr& size,
                                 int64_t by) {
    return ir::sizeBinary(ir::SizeExpr::Kind::Max, ir::sizeConstant(least),
                          ir::sizeBinary(kind, size, ir::sizeConstant(by)));
  }

  void grids() {
    for (size_t axis = 0; axis < 3; ++axis)
      if (m_kernel.contract.grid[axis]) {
        gridBy(axis, ir::SizeExpr::Kind::Add, "one more");
        gridBy(axis, ir::SizeExpr::Kind::Sub, "one less");
      }
  }

  void gridBy(size_t axis, ir::SizeExpr::Kind kind, const std::string& what) {
    addLaunch(what + " block on axis " + std::to_string(axis), [&](ir::LaunchContract& launch) {
      launch.grid[axis] = atLeast(1, kind, launch.grid[axis], 1);
    });
  }

  void blocks() {
    for (size_t axis = 0; axis < 3; ++axis) {
      const ir::SizeExprPtr& side = m_kernel.contract.block[axis];
      if (!side || (side->kind == ir::SizeExpr::Kind::Constant && side->value < 2))
        continue;
      const std::string where = " threads on axis " + std::to_string(axis);
      addLaunch("half the" + where, [&](ir::LaunchContract& launch) {
        launch.block[axis] = atLeast(1, ir::SizeExpr::Kind::Div, side, 2);
      });
      addLaunch("one less of the" + where, [&](ir::LaunchContract& launch) {
        launch.block[axis] = atLeast(1, ir::SizeExpr::Kind::Sub, side, 1);
      });
    }
  }

  void lengths() {
    for (size_t i = 0; i < m_kernel.contract.buffers.size(); ++i) {
      const ir::BufferContract& buffer = m_kernel.contract.buffers[i];
      addLaunch("shorter " + buffer.parameter, [&](ir::LaunchContract& launch) {
        launch.buffers[i].length = atLeast(0, ir::SizeExpr::Kind::Sub, buffer.length, 1);
      });
      addLaunch("longer " + buffer.parameter, [&](ir::LaunchContract& launch) {
        launch.buffers[i].length =
            ir::sizeBinary(ir::SizeExpr::Kind::Add, buffer.length, ir::sizeConstant(1));
      });
    }
  }

  /// The kernel hears of another size than its buffers have.
  void scalars() {
    for (const ir::SizeSymbol& symbol : m_kernel.contract.symbols)
      if (takes(symbol.name)) {
        scalarBy(symbol.name, ir::SizeExpr::Kind::Add, "one more");
        scalarBy(symbol.name, ir::SizeExpr::Kind::Sub, "one less");
      }
  }

  void scalarBy(const std::string& name, ir::SizeExpr::Kind kind, const std::string& what) {
    ir::ScalarContract scalar;
    scalar.parameter = name;
    scalar.kind = ir::ScalarContract::Kind::Integer;
    scalar.integer = ir::sizeBinary(kind, ir::sizeSymbol(name), ir::sizeConstant(1));
    addLaunch(what + " for " + name, [&](ir::LaunchContract& launch) { launch.scalars.push_back(scalar); });
  }

  /// Whether the kernel has a parameter of that name to which the contract says nothing but the size.
  bool takes(const std::string& name) const {
    for (const ir::ScalarContract& scalar : m_kernel.contract.scalars)
      if (scalar.parameter == name)
        return false;
    const std::string head = m_text.substr(0, m_body);
    return head.find(" " + name + ",") != std::string::npos ||
           head.find(" " + name + ")") != std::string::npos;
  }

  const KnownKernel& m_kernel;
  const std::string& m_text;
  size_t m_body = 0;
  std::vector<Mutant> m_mutants;
};

} // namespace

std::vector<Mutant> mutantsOf(const KnownKernel& kernel) {
  return Mutator(kernel).all();
}

} // namespace plumbline::gate::grid
