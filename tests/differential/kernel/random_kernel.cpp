#include "tests/differential/kernel/random_kernel.h"

#include <random>
#include <utility>

namespace plumbline::differential {
namespace {

/// I int, U unsigned, L long long, Q unsigned long long, H short, C unsigned char, B bool, F float, D double.
using Kind = char;

std::string spelled(Kind kind) {
  switch (kind) {
  case 'I': return "int";
  case 'U': return "unsigned";
  case 'L': return "long long";
  case 'Q': return "unsigned long long";
  case 'H': return "short";
  case 'C': return "unsigned char";
  case 'B': return "bool";
  case 'F': return "float";
  default: return "double";
  }
}

bool isFloating(Kind kind) {
  return kind == 'F' || kind == 'D';
}

struct Variable {
  std::string name;
  Kind kind;
  bool writable = true;
};

struct Array {
  std::string name;
  Kind kind;
  std::vector<int> extents;
};

/// A device function: its parameters by kind, in lower case where they are references.
struct Helper {
  std::string name;
  Kind result; ///< 'V' for void
  std::string parameters;
};

class Generator {
public:
  explicit Generator(uint64_t seed)
      : m_random(seed * 0x9E3779B97F4A7C15ULL + 1), m_suffix(std::to_string(seed)) {}

  RandomKernel make(uint64_t seed) {
    RandomKernel kernel;
    kernel.seed = seed;
    kernel.name = "k" + m_suffix;
    static const std::array<std::array<int64_t, 3>, 6> blocks = {
        {{32, 1, 1}, {40, 1, 1}, {7, 3, 1}, {4, 2, 5}, {64, 1, 1}, {1, 1, 1}}};
    kernel.block = blocks[pick(blocks.size())];
    kernel.grid = 1 + static_cast<int64_t>(pick(3));
    kernel.functions = structure();
    for (size_t i = pick(4); i > 0; --i)
      kernel.functions += helper(i);
    kernel.body = kernelBody();
    return kernel;
  }

private:
  // --- chance ---

  size_t pick(size_t n) { return static_cast<size_t>(m_random() % n); }
  bool chance(int percent) { return static_cast<int>(m_random() % 100) < percent; }
  Kind anyKind() { return std::string("IIIUUULQHCBFFFD")[pick(15)]; }
  Kind integerKind() { return std::string("IUULQHC")[pick(7)]; }
  std::string fresh(const std::string& stem) { return stem + std::to_string(m_names++); }

  std::string one(std::vector<std::string> choices) { return choices[pick(choices.size())]; }

  // --- expressions ---

  std::string literal(Kind kind) {
    switch (kind) {
    case 'I':
    case 'H': return one({"0", "1", "-1", "7", "-100", "32767", "12345", "'a'"});
    case 'U': return one({"0u", "1u", "31u", "0xffffffffu", "0x80000000u", "77u"});
    case 'L': return one({"0ll", "-5ll", "(1ll << 40)", "1000000007ll"});
    case 'Q': return one({"0ull", "0xffffffffffffffffull", "(1ull << 63)", "3ull"});
    case 'C': return one({"(unsigned char)200", "(unsigned char)1", "(unsigned char)0"});
    case 'B': return one({"true", "false"});
    case 'F': return one({"0.0f", "-0.0f", "1.0f", "0.1f", "-2.5f", "INFINITY", "1e-40f", "3e38f", "1e10f"});
    default: return one({"0.0", "0.1", "-1.0", "1e300", "1e-310", "3.0"});
    }
  }

  std::string variable(Kind kind) {
    std::vector<std::string> names;
    for (const Variable& each : m_variables)
      if (each.kind == kind)
        names.push_back(each.name);
    return names.empty() ? literal(kind) : one(names);
  }

  std::string below(int bound, int depth) {
    return "(unsigned)(" + expression(chance(50) ? 'U' : 'I', depth - 1) + ") % " + std::to_string(bound) +
           "u";
  }

  std::string element(const Array& array, int depth) {
    std::string text = array.name;
    for (const int extent : array.extents)
      text +=
          "[" + (chance(40) ? std::to_string(pick(static_cast<size_t>(extent))) : below(extent, depth)) + "]";
    return text;
  }

  /// A value of exactly that kind that is no operation.
  std::string leaf(Kind kind, int depth) {
    std::vector<std::string> choices = {variable(kind), variable(kind), literal(kind)};
    for (const Array& array : m_arrays)
      if (array.kind == kind)
        choices.push_back(element(array, depth));
    const std::string input = "[" + (depth > 0 ? below(kRandomInputs, depth) : "3") + "]";
    if (m_inKernel && kind == 'F')
      choices.push_back("x" + input);
    if (m_inKernel && kind == 'I')
      choices.push_back("a" + input);
    if (m_inKernel && kind == 'C')
      choices.push_back("b" + input);
    if (m_inKernel && kind == 'U')
      choices.push_back(one({"threadIdx.x", "blockIdx.x", "blockDim.y"}));
    if (m_sharedReadable && kind == 'I')
      choices.push_back("si[(unsigned)(" + variable('I') + ") % T]");
    if (m_sharedReadable && kind == 'F')
      choices.push_back("sf[(unsigned)(" + variable('U') + ") % T]");
    return one(choices);
  }

  std::string comparison(int depth) {
    return "(" + expression(anyKind(), depth - 1) + one({" < ", " <= ", " > ", " >= ", " == ", " != "}) +
           expression(anyKind(), depth - 1) + ")";
  }

  std::string helperCall(Kind kind, int depth) {
    std::vector<const Helper*> fitting;
    for (const Helper& each : m_helpers)
      if (each.result == kind && each.parameters.find_first_of("abcdefghilqu") == std::string::npos)
        fitting.push_back(&each);
    return fitting.empty() ? "(" + leaf(kind, depth) + ")" : call(*fitting[pick(fitting.size())], depth);
  }

  /// References take different variables, so that what they name is clear.
  std::string call(const Helper& helper, int depth) {
    std::string text = helper.name + "(";
    std::set<std::string> taken;
    for (const char parameter : helper.parameters) {
      if (text.back() != '(')
        text += ", ";
      const bool reference = parameter >= 'a' && parameter <= 'z';
      text += reference ? target(static_cast<Kind>(parameter - 'a' + 'A'), depth, taken)
                        : expression(parameter, depth - 1);
    }
    return text + ")";
  }

  /// A writable place of that kind. Every kind has one.
  std::string target(Kind kind, int depth, std::set<std::string>& taken) {
    std::vector<std::string> choices;
    for (const Variable& each : m_variables)
      if (each.kind == kind && each.writable && !taken.contains(each.name))
        choices.push_back(each.name);
    for (const Array& array : m_arrays)
      if (array.kind == kind && !taken.contains(array.name))
        choices.push_back(array.name);
    std::string name = choices[pick(choices.size())];
    taken.insert(name);
    for (const Array& array : m_arrays)
      if (array.name == name)
        return element(array, depth);
    return name;
  }
  std::string target(Kind kind, int depth) {
    std::set<std::string> taken;
    return target(kind, depth, taken);
  }

  std::string signedOperation(int depth) {
    const std::string a = expression('I', depth - 1), b = expression('I', depth - 1);
    switch (pick(9)) {
    case 0: return "(int)((unsigned)(" + a + ")" + one({" + ", " - ", " * "}) + "(unsigned)(" + b + "))";
    case 1: return "((" + a + " & 0x3fff)" + one({" + ", " - ", " * "}) + "(" + b + " & 0x7fff))";
    case 2: return "(" + a + one({" / ", " % "}) + "((" + b + " & 63) + 1))";
    case 3: return "(" + a + one({" / ", " % "}) + "(-2 - (" + b + " & 15)))";
    case 4: return "(" + a + one({" & ", " | ", " ^ "}) + b + ")";
    case 5: return "(" + a + " >> (" + b + " & 31))";
    case 6: return "(int)((unsigned)(" + a + ") << (" + b + " & 31))";
    case 7: return one({"max(", "min("}) + a + ", " + b + ")";
    default: return one({"-(" + a + " & 0xffff)", "~(" + a + ")", "abs(" + a + " >> 1)", "+(" + b + ")"});
    }
  }

  std::string unsignedOperation(Kind kind, int depth) {
    const std::string a = expression(kind, depth - 1);
    const std::string b = expression(kind == 'U' && chance(30) ? 'I' : kind, depth - 1);
    const std::string one_ = kind == 'U' ? "1u" : "1ull";
    const std::string count = kind == 'U' ? "31" : "63";
    switch (pick(5)) {
    case 0: return "(" + a + one({" + ", " - ", " * "}) + b + ")";
    case 1: return "(" + a + one({" / ", " % "}) + "(" + b + " | " + one_ + "))";
    case 2: return "(" + a + one({" & ", " | ", " ^ "}) + b + ")";
    case 3: return "(" + a + one({" << ", " >> "}) + "(" + b + " & " + count + "))";
    default: return one({"-(" + a + ")", "~(" + a + ")"});
    }
  }

  std::string wideOperation(int depth) {
    const std::string a = expression('L', depth - 1);
    const std::string b = expression(chance(50) ? 'L' : 'I', depth - 1);
    switch (pick(4)) {
    case 0:
      return "(long long)((unsigned long long)(" + a + ")" + one({" + ", " - ", " * "}) +
             "(unsigned long long)(" + b + "))";
    case 1: return "(" + a + one({" / ", " % "}) + "((" + b + " & 1023) + 3))";
    case 2: return "(" + a + one({" & ", " | ", " ^ "}) + b + ")";
    default: return "(" + a + " >> (" + b + " & 63))";
    }
  }

  std::string floatOperation(Kind kind, int depth) {
    const bool single = kind == 'F';
    const std::string a = expression(kind, depth - 1);
    const std::string b = expression(chance(70) ? kind : integerKind(), depth - 1);
    const std::string same = expression(kind, depth - 1);
    switch (pick(5)) {
    case 0:
    case 1: return "(" + a + one({" + ", " - ", " * ", " / "}) + b + ")";
    case 2:
      return (single ? one({"fmaxf(", "fminf(", "max(", "min("}) : one({"fmax(", "fmin("})) + a + ", " +
             same + ")";
    case 3: return (single ? "fmaf(" : "fma(") + a + ", " + same + ", " + expression(kind, 0) + ")";
    default:
      return one(
          {"-(" + a + ")", (single ? "fabsf(" : "fabs(") + a + ")", (single ? "sqrtf(" : "sqrt(") + a + ")"});
    }
  }

  std::string truth(int depth) {
    switch (pick(6)) {
    case 0:
      return "(" + expression('B', depth - 1) + one({" && ", " || "}) + expression('B', depth - 1) + ")";
    case 1: return "!" + expression('B', depth - 1);
    case 2: return "isnan(" + expression('F', depth - 1) + ")";
    default: return comparison(depth);
    }
  }

  /// Of exactly that kind (a narrow kind may come as int), in brackets where it needs them.
  std::string expression(Kind kind, int depth) {
    if (depth <= 0 || chance(25))
      return "(" + leaf(kind, depth) + ")";
    if (chance(10))
      return "(" + truth(depth) + " ? " + expression(kind, depth - 1) + " : " + expression(kind, depth - 1) +
             ")";
    if (chance(15))
      return helperCall(kind, depth);
    if (chance(20)) {
      Kind from = kind == 'H' || kind == 'C' ? integerKind() : anyKind();
      return "((" + spelled(kind) + ")" + expression(from, depth - 1) + ")";
    }
    switch (kind) {
    case 'I': return signedOperation(depth);
    case 'U':
    case 'Q': return unsignedOperation(kind, depth);
    case 'L': return wideOperation(depth);
    case 'B': return truth(depth);
    case 'H':
    case 'C': return "((" + spelled(kind) + ")" + expression('I', depth - 1) + ")";
    default: return floatOperation(kind, depth);
    }
  }

  // --- statements ---

  static RandomStatement line(std::string text, bool removable = true) {
    return {std::move(text), {}, "", removable};
  }

  RandomStatement assignment() {
    const Kind kind = anyKind();
    const Kind from = kind == 'H' || kind == 'C' ? integerKind() : anyKind();
    if (chance(15)) {
      const Kind second = kind == 'H' || kind == 'C' || isFloating(from) ? 'I' : from;
      return line(target(kind, 2) + " = " + target(second, 1) + " = " + expression(from, 2) + ";");
    }
    return line(target(kind, 2) + " = " + expression(from, 3) + ";");
  }

  RandomStatement compound() {
    switch (pick(9)) {
    case 0:
      return line(target('U', 2) + one({" += ", " -= ", " *= ", " ^= "}) +
                  expression(one({"I", "U", "Q", "H", "C"})[0], 2) + ";");
    case 1: return line(target('I', 2) + one({" ^= ", " |= ", " &= "}) + expression('I', 2) + ";");
    case 2: return line(target('I', 2) + one({" %= ", " /= "}) + "((" + expression('I', 2) + " & 31) + 2);");
    case 3: return line(target('U', 2) + one({" <<= ", " >>= "}) + "(" + expression('I', 2) + " & 31);");
    case 4:
      return line(target('H', 1) + one({" += ", " -= ", " *= "}) + "(" + expression('I', 2) + " & 0x7fff);");
    case 5: return line(target('C', 1) + one({" += ", " -= ", " *= "}) + expression('U', 2) + ";");
    case 6:
      return line(target('F', 2) + one({" += ", " -= ", " *= ", " /= "}) +
                  expression(chance(60) ? 'F' : anyKind(), 2) + ";");
    case 7: return line(target('I', 2) + " >>= (" + expression('U', 2) + " & 15);");
    default: {
      const std::string step = target(one({"U", "H", "C", "Q"})[0], 2);
      return line(one({"++" + step, step + "++", "--" + step, step + "--"}) + ";");
    }
    }
  }

  /// Assignments inside expressions, where C++ orders them.
  RandomStatement embedded() {
    switch (pick(7)) {
    case 0:
      return line(m_arrays[0].name + "[(unsigned)" + variable("U"[0]) + " % 5u] = " + expression('I', 2) +
                  ";");
    case 1:
      return line(target('I', 1) + " = (" + target('U', 1) + " = " + expression('U', 2) + ", " +
                  expression('I', 2) + ");");
    case 2: {
      const std::string counter = writable('U');
      return line(m_arrays[0].name + "[" + counter + "++ % 5u]" + one({" = ", " ^= "}) + expression('I', 2) +
                  ";");
    }
    case 3:
      return line(target('F', 1) + " = " + truth(2) + " ? (" + target('F', 1) + " = " + expression('F', 2) +
                  ") : " + expression('F', 2) + ";");
    case 4:
      return line(target('B', 1) + " = " + expression('B', 2) + one({" && ", " || "}) + "(" + target('I', 1) +
                  " = " + expression('I', 2) + ") > " + literal('I') + ";");
    case 5: return line(target('I', 1) + " = (" + target('I', 2) + " = " + expression('I', 2) + ");");
    default: {
      const std::string counter = writable('U');
      return line(target('I', 1) + " = " + m_arrays[0].name + "[" + one({"++" + counter, counter + "--"}) +
                  " % 5u];");
    }
    }
  }

  std::string writable(Kind kind) {
    std::vector<std::string> names;
    for (const Variable& each : m_variables)
      if (each.kind == kind && each.writable)
        names.push_back(each.name);
    return one(names);
  }

  std::vector<RandomStatement> some(int depth, size_t most) {
    std::vector<RandomStatement> made;
    for (size_t i = 1 + pick(most); i > 0; --i)
      made.push_back(statement(depth - 1));
    return made;
  }

  /// The statements inside see the variable.
  std::vector<RandomStatement> with(const Variable& added, int depth, size_t most) {
    m_variables.push_back(added);
    std::vector<RandomStatement> made = some(depth, most);
    std::erase_if(m_variables, [&](const Variable& each) { return each.name == added.name; });
    return made;
  }

  RandomStatement branch(int depth) {
    RandomStatement made{"if (" + truth(3) + ") {", some(depth, 3), "}"};
    if (chance(50))
      made.inside.push_back({"} else {", some(depth, 2), "", false});
    return made;
  }

  RandomStatement loop(int depth) {
    const std::string k = fresh("k");
    const std::string trips = std::to_string(1 + pick(4));
    const Variable counter{k, 'I', false};
    ++m_loops;
    const size_t outerSwitches = std::exchange(m_switches, 0);
    RandomStatement made;
    switch (pick(5)) {
    case 0:
    case 1:
      made = {"for (int " + k + " = 0; " + k + " < " + trips + "; ++" + k + ") {", with(counter, depth, 4),
              "}"};
      break;
    case 2:
      made = {"for (int " + k + " = " + trips + "; " + k + " > 0 && " + truth(2) + "; " + k + "--) {",
              with(counter, depth, 3), "}"};
      break;
    case 3:
      made = {"{ int " + k + " = " + trips + "; while (" + k + "-- > 0" +
                  (chance(40) ? " && " + truth(2) : "") + ") {",
              with(counter, depth, 3), "} }"};
      break;
    default:
      made = {"{ int " + k + " = " + trips + "; do {", with(counter, depth, 3),
              "} while (--" + k + " > 0" + (chance(40) ? " && " + truth(2) : "") + "); }"};
      break;
    }
    --m_loops;
    m_switches = outerSwitches;
    return made;
  }

  RandomStatement choice(int depth) {
    RandomStatement made{
        "switch (" + one({expression('I', 2) + " & 7", expression('C', 2), expression('U', 2) + " % 6u"}) +
            ") {",
        {},
        "}"};
    ++m_switches;
    const size_t labels = 2 + pick(4);
    const size_t fallback = pick(labels + 2);
    for (size_t i = 0; i < labels; ++i) {
      std::string label = "case " + std::to_string(i * 2 + pick(2)) + ":";
      if (i == fallback)
        label += " default:";
      RandomStatement section{label + " {", some(depth, 2), chance(60) ? "} break;" : "}", false};
      made.inside.push_back(std::move(section));
    }
    --m_switches;
    return made;
  }

  RandomStatement scope(int depth) {
    const Kind kind = anyKind();
    const std::string name = fresh("v");
    const Kind from = kind == 'H' || kind == 'C' ? integerKind() : anyKind();
    const std::string initial = expression(from, 3);
    return {"{ " + spelled(kind) + " " + name + " = " + initial + ";", with({name, kind}, depth, 3), "}"};
  }

  RandomStatement referenceScope(int depth) {
    const Kind kind = chance(50) ? 'I' : 'F';
    const std::string name = fresh("r");
    const std::string bound = target(kind, 2);
    return {"{ " + spelled(kind) + "& " + name + " = " + bound + ";", with({name, kind}, depth, 3), "}"};
  }

  RandomStatement lambda(int depth) {
    const std::string name = fresh("f");
    const std::string parameter = fresh("p");
    const Kind kind = one({"I", "U", "F"})[0];
    const bool byValue = chance(40);
    const size_t loops = std::exchange(m_loops, 0), switches = std::exchange(m_switches, 0);
    const bool outer = std::exchange(m_inLambda, true);
    RandomStatement made;
    m_variables.push_back({parameter, kind, false});
    if (byValue) {
      // Copies of everything, arrays left out.
      const std::vector<Array> arrays = std::exchange(m_arrays, {});
      made.before = "{ auto " + name + " = [=](" + spelled(kind) + " " + parameter + ") { return (int)(" +
                    expression('I', 3) + "); };";
      m_arrays = arrays;
    } else {
      made.before = "{ auto " + name + " = [&](" + spelled(kind) + " " + parameter + ") { " +
                    assignment().before + " if (" + truth(2) + ") return (int)(" + expression('I', 2) +
                    "); " + compound().before + " return (int)(" + expression('I', 2) + "); };";
    }
    std::erase_if(m_variables, [&](const Variable& each) { return each.name == parameter; });
    m_inLambda = outer;
    m_loops = loops;
    m_switches = switches;
    made.inside.push_back(assignment());
    made.inside.push_back(line(writable('I') + " = " + name + "(" + expression(kind, 2) + ");"));
    if (byValue)
      made.inside.push_back(line("if (" + truth(1) + " && " + name + "(" + expression(kind, 1) + ") > " +
                                 name + "(" + expression(kind, 1) + ")) { " + assignment().before + " }"));
    if (depth > 1)
      made.inside.push_back(statement(depth - 1));
    made.inside.push_back(line("while (" + name + "(" + variable(kind) + ") % 5 == 1) { " + writable('U') +
                               " += 1u; break; }"));
    made.after = "}";
    return made;
  }

  RandomStatement structureUse() {
    const std::string type = "S" + m_suffix;
    switch (pick(6)) {
    case 0: return line("s1 = s0;");
    case 1: return line("s0 = s0 + s1;");
    case 2: return line("s0.mix(" + expression('I', 2) + ");");
    case 3:
      return line("s1 = " + truth(2) + " ? s0 : " + type + "{" + expression('I', 2) + ", " +
                  expression('F', 2) + ", " + expression('U', 1) + "};");
    case 4:
      return line("{ " + type + " s2 = " + type + "(s0); s2.mix(3); s1.i = s2.i; " + target('F', 1) +
                  " = s2.f; }");
    default:
      return line(writable('I') + " = " + truth(2) + " ? s1.quotient(" + expression('I', 2) +
                  ") : " + expression('I', 1) + ";");
    }
  }

  RandomStatement helperUse() {
    if (m_helpers.empty())
      return assignment();
    const Helper& helper = m_helpers[pick(m_helpers.size())];
    const std::string called = call(helper, 2);
    return line(helper.result == 'V' ? called + ";" : writable(helper.result) + " = " + called + ";");
  }

  RandomStatement jump() {
    std::vector<std::string> ways;
    if (m_loops > 0)
      ways = {"break;", "continue;"};
    else if (m_switches > 0)
      ways = {"break;"};
    if (ways.empty())
      return compound();
    return line("if (" + truth(2) + ") " + one(ways));
  }

  RandomStatement statement(int depth) {
    if (depth > 0 && chance(45)) {
      switch (pick(m_inKernel ? 8 : 5)) {
      case 0: return branch(depth);
      case 1: return loop(depth);
      case 2: return choice(depth);
      case 3: return scope(depth);
      case 4: return m_inKernel ? referenceScope(depth) : scope(depth);
      case 5: return lambda(depth);
      default: return loop(depth);
      }
    }
    switch (pick(m_inKernel ? 10 : 6)) {
    case 0:
    case 1: return assignment();
    case 2:
    case 3: return compound();
    case 4: return embedded();
    case 5: return jump();
    case 6: return helperUse();
    case 7: return structureUse();
    case 8:
      return line(one({"y[g] = " + expression('F', 3), "out[g] = " + expression('I', 3),
                       "wide[g] = " + expression('L', 3)}) +
                  ";");
    default: return assignment();
    }
  }

  // --- functions ---

  std::string structure() {
    const std::string type = "S" + m_suffix;
    return "struct " + type +
           " {\n  int i;\n  float f;\n  unsigned u;\n"
           "  __device__ void mix(int by) {\n    if (by % 3 == 0) return;\n    u = u * 31u + by;\n"
           "    f = f * 0.5f + by;\n    i ^= (int)u;\n  }\n"
           "  __device__ int quotient(int by) const { return i / ((by & 7) + 1) + (by & 1); }\n};\n"
           "__device__ " +
           type + " operator+(const " + type + "& p, " + type +
           " q) {\n"
           "  q.u += p.u;\n  return {p.i ^ q.i, p.f - q.f, q.u};\n}\n";
  }

  /// Variables and arrays of a function body, all with values.
  std::string declarations() {
    std::string text;
    for (const Kind kind : std::string("IIUULQHCBFFD")) {
      const std::string name = fresh(std::string(1, static_cast<char>(kind - 'A' + 'a')));
      const Kind from = kind == 'H' || kind == 'C' ? 'I' : kind;
      text += "  " + spelled(kind) + " " + name + " = " + expression(from, m_inKernel ? 2 : 1) + ";\n";
      m_variables.push_back({name, kind});
    }
    const std::string ints = fresh("ai"), floats = fresh("af"), bytes = fresh("ac");
    text += "  int " + ints + "[5] = {" + expression('I', 1) + ", 2, " + expression('I', 1) + "};\n";
    text += "  float " + floats + "[2][3];\n  for (int r = 0; r < 2; ++r)\n    for (int c = 0; c < 3; ++c) " +
            floats + "[r][c] = r * 1.5f - c;\n";
    text += "  unsigned char " + bytes + "[3] = {};\n";
    m_arrays = {{ints, 'I', {5}}, {floats, 'F', {2, 3}}, {bytes, 'C', {3}}};
    return text;
  }

  std::string helper(size_t number) {
    const std::vector<Variable> outer = std::exchange(m_variables, {});
    const std::vector<Array> outerArrays = std::exchange(m_arrays, {});
    Helper made{"h" + m_suffix + "_" + std::to_string(number), anyKind(), ""};
    if (made.result == 'H' || made.result == 'C')
      made.result = 'V';
    const bool references = chance(50);
    std::string parameters;
    for (size_t i = 1 + pick(3); i > 0; --i) {
      const Kind kind = one({"I", "U", "F", "D"})[0];
      // One reference of a kind: the arguments are different variables.
      const char byReference = static_cast<char>(kind - 'A' + 'a');
      const bool reference =
          references && chance(60) && made.parameters.find(byReference) == std::string::npos;
      const std::string name = fresh("p");
      made.parameters += reference ? byReference : kind;
      parameters += (parameters.empty() ? "" : ", ") + spelled(kind) + (reference ? "& " : " ") + name;
      m_variables.push_back({name, kind});
    }
    std::string text = "__device__ " + (made.result == 'V' ? std::string("void") : spelled(made.result)) +
                       " " + made.name + "(" + parameters + ") {\n" + declarations();
    RandomStatement body;
    for (size_t i = 1 + pick(4); i > 0; --i) {
      body.inside.push_back(statement(2));
      if (chance(25))
        body.inside.push_back(line("if (" + truth(2) + ") return" +
                                   (made.result == 'V' ? "" : " " + expression(made.result, 2)) + ";"));
    }
    int number2 = 0;
    write(body, 1, {}, number2, text);
    text += made.result == 'V' ? "}\n" : "  return " + expression(made.result, 2) + ";\n}\n";
    m_variables = outer;
    m_arrays = outerArrays;
    m_helpers.push_back(made);
    return text;
  }

  /// Shared cells, written by their own threads, read by all until the next barrier.
  void exchange(std::vector<RandomStatement>& body) {
    body.push_back(line("si[t] = " + expression('I', 3) + ";", false));
    body.push_back(line("sf[t] = " + expression('F', 3) + ";", false));
    body.push_back(line("__syncthreads();", false));
    m_sharedReadable = true;
    for (size_t i = 1 + pick(3); i > 0; --i)
      body.push_back(statement(2));
    m_sharedReadable = false;
    body.push_back(
        line(chance(70) ? "__syncthreads();" : writable('I') + " = __syncthreads_count(" + truth(2) + ");",
             false));
  }

  RandomStatement lanes() {
    switch (pick(4)) {
    case 0:
      return line(writable('I') + " = __shfl_sync(0xffffffffu, " + expression('I', 2) + ", (int)(" +
                  expression('U', 1) + " % lanes));");
    case 1:
      return line(writable('F') + " = __shfl_up_sync(0xffffffffu, " + expression('F', 2) + ", " +
                  std::to_string(1 + pick(8)) + ");");
    case 2: return line(writable('U') + " = __ballot_sync(0xffffffffu, " + truth(2) + ");");
    default: return line(writable('B') + " = __any_sync(0xffffffffu, " + truth(2) + ");");
    }
  }

  RandomStatement kernelBody() {
    m_inKernel = true;
    m_variables = {{"n", 'I', false}, {"g", 'I', false}, {"t", 'I', false}};
    RandomStatement body;
    body.before = "  __shared__ int si[64];\n  __shared__ float sf[64];\n"
                  "  const int T = blockDim.x * blockDim.y * blockDim.z;\n"
                  "  const int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);\n"
                  "  const int g = blockIdx.x * T + t;\n"
                  "  const unsigned lanes = min(32, T - (t & ~31));\n";
    body.before += declarations();
    const std::string type = "S" + m_suffix;
    body.before += "  " + type + " s0 = {1, 2.5f, 3u}, s1{t};";
    body.removable = false;
    m_variables.push_back({"s0.i", 'I'});
    m_variables.push_back({"s0.f", 'F'});
    m_variables.push_back({"s1.u", 'U'});
    for (size_t i = 3 + pick(6); i > 0; --i) {
      body.inside.push_back(statement(3));
      if (chance(20))
        exchange(body.inside);
      if (chance(10)) {
        RandomStatement rounds{"for (int round = 0; round < 2; ++round) {", {}, "}", false};
        exchange(rounds.inside);
        body.inside.push_back(std::move(rounds));
      }
      if (chance(15))
        body.inside.push_back(lanes());
    }
    std::string integers = "0ull", floats = "0.0f";
    for (const Variable& each : m_variables)
      if (isFloating(each.kind))
        floats = "(" + floats + " * 0.5f + (float)" + each.name + ")";
      else
        integers = "(" + integers + " * 31ull + (unsigned long long)" + each.name + ")";
    body.inside.push_back(line("y[g] = " + variable('F') + ";", false));
    body.inside.push_back(line("out[g] = (int)(" + floats + " * 16.0f) ^ " + m_arrays[0].name + "[3] ^ " +
                                   m_arrays[2].name + "[1];",
                               false));
    body.inside.push_back(line("wide[g] = (long long)" + integers + ";", false));
    return body;
  }

public:
  /// Appends the text of the statements.
  static void write(const RandomStatement& statement, int indent, const std::set<int>& leftOut, int& number,
                    std::string& text) {
    const int own = number++;
    const bool shown = !leftOut.contains(own);
    const std::string margin(static_cast<size_t>(indent) * 2, ' ');
    if (shown && !statement.before.empty())
      text += (statement.before.starts_with("  ") ? "" : margin) + statement.before + "\n";
    std::string inside;
    for (const RandomStatement& each : statement.inside)
      write(each, indent + 1, leftOut, number, inside);
    if (shown)
      text += inside;
    if (shown && !statement.after.empty())
      text += margin + statement.after + "\n";
  }

private:
  std::mt19937_64 m_random;
  std::string m_suffix;
  std::vector<Variable> m_variables;
  std::vector<Array> m_arrays;
  std::vector<Helper> m_helpers;
  size_t m_names = 0;
  size_t m_loops = 0;
  size_t m_switches = 0;
  bool m_inKernel = false;
  bool m_inLambda = false;
  bool m_sharedReadable = false;
};

void numberRemovable(const RandomStatement& statement, int& number, std::vector<int>& found) {
  const int own = number++;
  if (statement.removable)
    found.push_back(own);
  for (const RandomStatement& each : statement.inside)
    numberRemovable(each, number, found);
}

} // namespace

std::string RandomKernel::source(const std::set<int>& leftOut) const {
  std::string text =
      functions + "__global__ void " + name +
      "(const float* x, const int* a, const unsigned char* b, float* y, int* out, long long* wide, "
      "int n) {\n";
  int number = 0;
  Generator::write(body, 0, leftOut, number, text);
  return text + "}\n";
}

std::vector<int> RandomKernel::removable() const {
  std::vector<int> found;
  int number = 0;
  numberRemovable(body, number, found);
  return found;
}

RandomKernel makeRandomKernel(uint64_t seed) {
  return Generator(seed).make(seed);
}

} // namespace plumbline::differential
