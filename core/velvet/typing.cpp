#include "core/velvet/typing.h"

#include "core/velvet/expr_typing.h"

#include <algorithm>

namespace plumbline::velvet {
namespace {

bool isOwnModule(const std::string& module) {
  return module == "Velvet" || module == "Velvet.Std" || module == "Plumbline" ||
         module.starts_with("Plumbline.");
}

/// Goes through a document from top to bottom, as Lean does.
class DocumentTyper {
public:
  Typing run(const Document& document) {
    for (const Item& item : document.items)
      std::visit([this](const auto& each) { add(each); }, item);
    m_typer.finish();
    std::ranges::stable_sort(m_result.diagnostics, {}, [](const Diagnostic& each) {
      return std::pair(each.range.begin, each.range.end);
    });
    return std::move(m_result);
  }

private:
  /// What a declaration brings into scope ends with it.
  class Scope {
  public:
    explicit Scope(ExprTyper& typer)
        : m_typer(typer), m_locals(typer.locals.size()), m_variables(typer.typeVariables) {}
    ~Scope() {
      m_typer.locals.resize(m_locals);
      m_typer.typeVariables = std::move(m_variables);
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

  private:
    ExprTyper& m_typer;
    size_t m_locals;
    std::map<std::string, bool> m_variables;
  };

  void add(const Import& item) {
    if (!isOwnModule(item.module))
      m_typer.lenient = true;
  }
  void add(const Comment&) {}

  void add(const Verbatim& item) {
    if (item.keyword == "variable")
      return binders(item.binders);
    if (item.keyword == "section") {
      m_sections.push_back({m_typer.locals.size(), m_typer.typeVariables});
    } else if (item.keyword == "end" && !m_sections.empty()) {
      m_typer.locals.resize(std::min(m_typer.locals.size(), m_sections.back().locals));
      m_typer.typeVariables = m_sections.back().variables;
      m_sections.pop_back();
    } else if (item.keyword == "structure" || item.keyword == "inductive" || item.keyword == "class" ||
               item.keyword == "abbrev") {
      m_typer.types.insert(item.name);
      m_typer.lenient = true; // constructors and fields have names too
    } else if (item.keyword == "open" || item.keyword == "namespace" || item.keyword == "local" ||
               item.keyword == "mutual") {
      m_typer.lenient = true;
    }
    if (!item.name.empty())
      m_typer.helpers.insert(item.name);
  }

  void declare(const std::string& name, TextRange range) {
    if (!m_declared.insert(name).second)
      m_typer.report(range, "duplicate-name", name + " is declared a second time");
  }

  /// Type variables first: a later binder's class says more about an earlier one.
  void binders(const std::vector<Binder>& list) {
    for (const Binder& binder : list) {
      if (binder.bracket == Bracket::Square) {
        addClass(binder.type);
        continue;
      }
      if (binder.type == "Type" || binder.type.starts_with("Type ") || binder.type.starts_with("Type*") ||
          binder.type.starts_with("Sort"))
        m_typer.typeVariables[binder.name] = false;
    }
    for (const Binder& binder : list)
      if (binder.bracket != Bracket::Square)
        m_typer.locals.push_back(
            {binder.name, m_typer.typeFrom(binder.type, binder.typeRange), binder.isMutable});
  }

  /// [Zero S] gives S more than Plumbline's own class does.
  void addClass(const std::string& text) {
    const LeanType type = readType(text);
    if (type.is("Inhabited") || type.is("Plumbline.Scalar") || type.is("Scalar"))
      return;
    for (const LeanType& arg : type.args)
      if (const auto found = m_typer.typeVariables.find(arg.head); found != m_typer.typeVariables.end())
        found->second = true;
  }

  static std::set<std::string> generics(const std::map<std::string, bool>& variables) {
    std::set<std::string> names;
    for (const auto& [name, rich] : variables)
      names.insert(name);
    return names;
  }

  /// The type of a declaration in use: its round parameters and its result.
  LeanType functionType(const std::vector<Binder>& list, LeanType result) {
    for (auto binder = list.rbegin(); binder != list.rend(); ++binder)
      if (binder->bracket == Bracket::Round)
        result = arrow(readType(binder->type), std::move(result));
    return result;
  }

  void add(const Definition& item) {
    declare(item.name, item.nameRange);
    ExprTyper::Global global;
    {
      const Scope scope(m_typer);
      binders(item.binders);
      const LeanType type = item.type.empty() ? LeanType{} : m_typer.typeFrom(item.type, item.typeRange);
      for (const Let& let : item.lets)
        m_typer.locals.push_back({let.name, valueType(let.type, let.typeRange, *let.value)});
      if (type.known())
        m_typer.check(*item.value, type);
      else
        m_typer.infer(*item.value);
      global = {functionType(item.binders, type), generics(m_typer.typeVariables)};
    }
    m_typer.globals[item.name] = std::move(global);
  }

  /// Of `name : type := value`; the type may be missing.
  LeanType valueType(const std::string& text, TextRange range, const Expr& value) {
    if (text.empty())
      return m_typer.infer(value);
    LeanType type = m_typer.typeFrom(text, range);
    m_typer.check(value, type);
    return type;
  }

  void add(const Theorem& item) {
    declare(item.name, item.nameRange);
    {
      const Scope scope(m_typer);
      binders(item.binders);
      m_typer.check(*item.statement, {"Prop"});
    }
    m_typer.helpers.insert(item.name);
  }

  // --- Methods ---

  void add(const Method& item) {
    declare(item.name, item.nameRange);
    ExprTyper::Global global;
    {
      const Scope scope(m_typer);
      binders(item.binders);
      for (const Binder& binder : item.binders)
        if (binder.isMutable)
          m_typer.locals.push_back({binder.name + "Old", readType(binder.type)});
      m_resultType = m_typer.typeFrom(item.resultType, item.resultTypeRange);
      for (const Clause& clause : item.requirements)
        add(clause, {"Prop"});
      m_typer.locals.push_back({item.resultName, m_resultType});
      for (const Clause& clause : item.ensures)
        add(clause, {"Prop"});
      m_typer.locals.pop_back();
      block(item.body);
      global = {functionType(item.binders, m_resultType), generics(m_typer.typeVariables)};
    }
    m_typer.globals[item.name] = std::move(global);
    m_methods.insert(item.name);
  }

  void label(const std::string& name, TextRange range) {
    if (!name.empty() && !m_labels.insert(name).second)
      m_typer.report(range, "duplicate-label", "the label " + name + " stands in this document already");
  }

  void add(const Clause& clause, const LeanType& type) {
    if (!clause.prop)
      return;
    label(clause.label, clause.labelRange);
    m_typer.check(*clause.prop, type);
  }

  void block(const std::vector<Stmt>& body) {
    const size_t outer = m_typer.locals.size();
    for (const Stmt& stmt : body)
      add(stmt);
    m_typer.locals.resize(outer);
  }

  void add(const Stmt& stmt) {
    switch (stmt.kind) {
    case StmtKind::Let:
    case StmtKind::Call: {
      LeanType type = valueType(stmt.type, stmt.typeRange, *stmt.value);
      if (!stmt.name.empty())
        m_typer.locals.push_back({stmt.name, std::move(type), stmt.isMutable});
      return;
    }
    case StmtKind::Set: return assignment(stmt);
    case StmtKind::If:
      m_typer.check(*stmt.value, {"Prop"});
      block(stmt.body);
      return block(stmt.otherwise);
    case StmtKind::While:
      label(stmt.loop.label, stmt.loop.labelRange);
      m_typer.check(*stmt.value, {"Prop"});
      for (const Clause& invariant : stmt.loop.invariants)
        add(invariant, {"Prop"});
      add(stmt.loop.decreasing, {"Nat"});
      add(stmt.loop.doneWith, {"Prop"});
      return block(stmt.body);
    case StmtKind::Assert: return add(stmt.clause, {"Prop"});
    case StmtKind::Return:
      if (stmt.value)
        m_typer.check(*stmt.value, m_resultType);
      return;
    case StmtKind::Break:
    case StmtKind::Continue:
    case StmtKind::Comment:
    case StmtKind::Opaque: return;
    }
  }

  void assignment(const Stmt& stmt) {
    const ExprTyper::Local* variable = m_typer.local(stmt.name);
    if (!variable) {
      m_typer.report(stmt.nameRange, "unknown-name", "no variable called " + stmt.name + " is in scope");
      m_typer.infer(*stmt.value);
      return;
    }
    if (!variable->isMutable)
      m_typer.report(stmt.nameRange, "not-mutable",
                     stmt.name + " cannot be assigned: it was not declared with let mut");
    m_typer.check(*stmt.value, LeanType(variable->type));
  }

  void add(const Proof& item) {
    if (!m_methods.contains(item.method))
      m_typer.unknownName(item.nameRange, "no method called " + item.method + " stands above");
  }

  struct Section {
    size_t locals;
    std::map<std::string, bool> variables;
  };

  Typing m_result;
  ExprTyper m_typer{m_result};
  std::vector<Section> m_sections;
  std::set<std::string> m_declared;
  std::set<std::string> m_labels;
  std::set<std::string> m_methods;
  LeanType m_resultType;
};

} // namespace

Typing typeDocument(const Document& document) {
  return DocumentTyper().run(document);
}

} // namespace plumbline::velvet
