#include "core/velvet/convert.h"

#include "core/velvet/abstract_scalar.h"
#include "core/velvet/seal.h"

#include <algorithm>

namespace plumbline::velvet {
namespace {

constexpr const char* scalarBinders = "{S : Type} [Inhabited S] [Plumbline.Scalar S]";

Expected<Document> rejected(Dialect to, const std::set<std::string>& constructs) {
  Error error{ErrorKind::Rejected, "dialect", "", "use the other dialect"};
  for (const std::string& each : constructs) {
    error.message += (error.message.empty() ? "" : "; ") + each;
    error.rejections.push_back({"dialect", each, {}});
  }
  error.message = std::string(name(to)) + " cannot express " + error.message;
  return fail(std::move(error));
}

/// Every expression and type of statements and clauses, in place.
template <class OnExpression, class OnType>
void rewrite(std::vector<Stmt>& body, const OnExpression& onExpression, const OnType& onType) {
  const auto clause = [&](Clause& each) {
    if (each.prop)
      each.prop = onExpression(each.prop);
  };
  for (Stmt& stmt : body) {
    if (stmt.value)
      stmt.value = onExpression(stmt.value);
    if (!stmt.type.empty())
      stmt.type = onType(stmt.type);
    clause(stmt.clause);
    for (Clause& invariant : stmt.loop.invariants)
      clause(invariant);
    clause(stmt.loop.decreasing);
    clause(stmt.loop.doneWith);
    rewrite(stmt.body, onExpression, onType);
    rewrite(stmt.otherwise, onExpression, onType);
  }
}

template <class Visit> void eachStatement(std::vector<Stmt>& body, const Visit& visit) {
  for (Stmt& stmt : body) {
    visit(stmt);
    eachStatement(stmt.body, visit);
    eachStatement(stmt.otherwise, visit);
  }
}

bool isOneSolveCommand(const Proof& proof) {
  return proof.script.empty() || (proof.script.size() == 1 && isSolveCommand(proof.script[0]));
}

/// Modules of lean/ that need no model of Float32.
bool isAbstract(const std::string& module) {
  return module == "Plumbline.Scalar" || module == "Plumbline.Integers" || module == "Plumbline.Fold";
}

/// What is written anew is not what was sealed.
Comment withoutSeal(Comment comment) {
  std::erase_if(comment.lines, [](const std::string& line) { return isSeal("-- " + line); });
  return comment;
}

// --- To velvet-cav ---

class ToCav {
public:
  explicit ToCav(const Document& document)
      : m_document(document), m_typing(typeDocument(document)), m_scalar(m_typing) {}

  Expected<Document> run() {
    for (const Item& item : m_document.items)
      std::visit([this](const auto& each) { add(each); }, item);
    m_refused.insert(m_scalar.inexpressible().begin(), m_scalar.inexpressible().end());
    if (!m_refused.empty())
      return rejected(Dialect::VelvetCav, m_refused);
    return std::move(m_result);
  }

private:
  void put(Item item) { m_result.items.push_back(std::move(item)); }
  void verbatim(const std::string& keyword, const std::string& text) {
    Verbatim made;
    made.keyword = keyword;
    made.text = text;
    put(std::move(made));
  }

  void add(const Import& item) {
    if (item.module == "Velvet")
      put(Import{"Velvet.Std"});
    else if (isAbstract(item.module))
      put(Import{item.module});
    else if (item.module == "Plumbline" || item.module.starts_with("Plumbline."))
      return; // what Float32 needs
    else
      put(item);
  }

  /// Behind the imports.
  void options() {
    if (std::exchange(m_hasOptions, true))
      return;
    verbatim("set_option", "set_option loom.semantics.termination \"total\"");
    verbatim("set_option", "set_option loom.semantics.choice \"demonic\"");
  }

  void add(const Comment& item) {
    const bool isHead = m_result.items.empty();
    if (!isHead)
      options();
    if (Comment kept = withoutSeal(item); !kept.lines.empty())
      put(std::move(kept));
    if (isHead)
      put(Comment{{"Float32 is an abstract scalar S here: Lean 4.24 has no model of it. What is shown holds "
                   "of every S",
                   "with these operations, Float32 among them."},
                  {}});
  }

  void add(const Verbatim& item) {
    if (item.keyword == "set_option" && item.name.starts_with("velvet."))
      return;
    m_refused.insert("'" + item.keyword + "', which is kept as text");
  }

  void add(const Theorem& item) {
    m_refused.insert("the theorem " + item.name + ": its proof is for the other dialect");
  }

  void add(const Definition& item) {
    options();
    Definition made = item;
    if (!made.attribute.empty() && made.attribute.find("loomAbstractionSimp") == std::string::npos)
      made.attribute += ", loomAbstractionSimp";
    m_scalar.takeUsed();
    binders(made.binders);
    made.type = m_scalar.type(made.type);
    for (Let& let : made.lets) {
      let.type = let.type.empty() ? "" : m_scalar.type(let.type);
      let.value = m_scalar.expression(let.value);
    }
    made.value = m_scalar.expression(made.value);
    const bool hasScalar =
        std::ranges::any_of(made.binders, [](const Binder& each) { return each.name == "S"; });
    if (m_scalar.takeUsed() && !hasScalar)
      made.binders.insert(made.binders.begin(), {{"S", "Type", Bracket::Curly, {}},
                                                 {"", "Inhabited S", Bracket::Square, {}},
                                                 {"", "Plumbline.Scalar S", Bracket::Square, {}}});
    put(std::move(made));
  }

  void binders(std::vector<Binder>& list) {
    for (Binder& binder : list)
      if (binder.bracket != Bracket::Square)
        binder.type = m_scalar.type(binder.type);
  }

  void add(const Method& item) {
    options();
    Method made = item;
    for (const Binder& binder : made.binders)
      if (binder.bracket != Bracket::Round)
        m_refused.insert("a parameter in brackets other than ( ) of the method " + item.name);
    binders(made.binders);
    made.resultType = m_scalar.type(made.resultType);
    for (auto* clauses : {&made.requirements, &made.ensures})
      for (Clause& clause : *clauses)
        clause.prop = m_scalar.expression(clause.prop);
    rewrite(
        made.body, [this](const ExprPtr& expr) { return m_scalar.expression(expr); },
        [this](const std::string& type) { return m_scalar.type(type); });
    eachStatement(made.body, [this](Stmt& stmt) {
      if (stmt.kind == StmtKind::If)
        stmt.loop.label.clear();
      if (stmt.kind == StmtKind::Opaque)
        m_refused.insert("'" + stmt.name + "', text of unknown structure");
    });
    m_section = item.name;
    m_hasProof = std::ranges::any_of(m_document.items, [&](const Item& each) {
      const auto* proof = std::get_if<Proof>(&each);
      return proof && proof->method == item.name;
    });
    verbatim("section", "section " + item.name);
    verbatim("variable", std::string("variable ") + scalarBinders);
    put(std::move(made));
    if (!m_hasProof)
      verbatim("end", "end " + item.name);
  }

  void add(const Proof& item) {
    if (!isOneSolveCommand(item))
      m_refused.insert("the proof script of " + item.method + ": its tactics are for the other dialect");
    put(Proof{item.method, item.unfold});
    if (item.method == m_section)
      verbatim("end", "end " + item.method);
  }

  const Document& m_document;
  Typing m_typing;
  AbstractScalar m_scalar;
  Document m_result;
  std::set<std::string> m_refused;
  std::string m_section;
  bool m_hasOptions = false;
  bool m_hasProof = false;
};

// --- To velvet2 ---

class ToVelvet2 {
public:
  explicit ToVelvet2(const Document& document) : m_document(document) {}

  Expected<Document> run() {
    for (const Item& item : m_document.items)
      std::visit([this](const auto& each) { add(each); }, item);
    if (!m_refused.empty())
      return rejected(Dialect::Velvet2, m_refused);
    return std::move(m_result);
  }

private:
  void add(const Import& item) {
    m_result.items.emplace_back(Import{item.module == "Velvet.Std" ? "Velvet" : item.module});
  }
  void add(const Comment& item) {
    if (Comment kept = withoutSeal(item); !kept.lines.empty())
      m_result.items.emplace_back(std::move(kept));
  }
  void add(const Theorem& item) { m_result.items.emplace_back(item); }

  void add(const Verbatim& item) {
    const bool isLoom = item.keyword == "set_option" && item.text.find("loom.") != std::string::npos;
    if (!isLoom)
      m_result.items.emplace_back(item);
  }

  void add(const Definition& item) {
    Definition made = item;
    for (const char* own : {", loomAbstractionSimp", "loomAbstractionSimp, ", "loomAbstractionSimp",
                            ", solverHint", "solverHint, ", "solverHint"})
      if (const size_t at = made.attribute.find(own); at != std::string::npos)
        made.attribute.erase(at, std::string_view(own).size());
    m_result.items.emplace_back(std::move(made));
  }

  void add(const Method& item) {
    Method made = item;
    std::set<std::string> labels;
    for (const Binder& binder : made.binders)
      if (binder.isMutable)
        m_refused.insert("(mut " + binder.name + " : " + binder.type + ")");
    eachStatement(made.body, [&](Stmt& stmt) { labels.insert(stmt.clause.label); });
    int next = 0;
    eachStatement(made.body, [&](Stmt& stmt) {
      if (stmt.kind != StmtKind::Assert || !stmt.clause.label.empty())
        return;
      do
        stmt.clause.label = item.name + "_assert_" + std::to_string(++next);
      while (!labels.insert(stmt.clause.label).second);
    });
    m_result.items.emplace_back(std::move(made));
  }

  void add(const Proof& item) {
    if (!isOneSolveCommand(item))
      m_refused.insert("the proof script of " + item.method + ": its tactics are for the other dialect");
    Proof made{item.method, {}};
    for (const Item& each : m_result.items)
      if (const auto* definition = std::get_if<Definition>(&each))
        made.unfold.push_back(definition->name);
    m_result.items.emplace_back(std::move(made));
  }

  const Document& m_document;
  Document m_result;
  std::set<std::string> m_refused;
};

} // namespace

Expected<Document> convert(const Document& document, Dialect to) {
  return to == Dialect::VelvetCav ? ToCav(document).run() : ToVelvet2(document).run();
}

} // namespace plumbline::velvet
