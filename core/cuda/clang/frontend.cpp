// Runs Clang on a source in memory and hands the AST on.
#include "core/cuda/clang/answer.h"
#include "core/cuda/clang/ast.h"
#include "core/cuda/clang/module_reader.h"
#include "core/cuda/clang/source_notes.h"

#include "clang/Basic/DiagnosticSema.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <algorithm>
#include <array>
#include <set>

namespace plumbline::cuda {

// --- running the compiler ---

namespace {

constexpr const char* mainFile = "/plumbline-source.cu";

/// The id of a message that names a construct of device code; empty for every other message.
std::string constructId(const clang::Diagnostic& info) {
  switch (info.getID()) {
  case clang::diag::warn_unknown_attribute_ignored:
  case clang::diag::warn_attribute_ignored: return "unknown-attribute";
  case clang::diag::err_cuda_device_exceptions: return "exceptions";
  case clang::diag::err_ref_bad_target: // argument 0 says what is referred to; 1 is a kernel
    return info.getRawArg(0) == 1 ? "dynamic-parallelism" : "";
  default: return {};
  }
}

/// Keeps errors as notes; other messages are dropped.
class NoteConsumer : public clang::DiagnosticConsumer {
public:
  NoteConsumer(SourceNotes& notes, std::string mainName) : m_notes(notes), m_mainName(std::move(mainName)) {}

  void BeginSourceFile(const clang::LangOptions& options, const clang::Preprocessor*) override {
    m_options = options;
  }

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override {
    DiagnosticConsumer::HandleDiagnostic(level, info);
    const std::string construct = constructId(info);
    if (level == clang::DiagnosticsEngine::Note && info.getID() == clang::diag::note_ovl_candidate_bad_target)
      explain(info);
    if (level < clang::DiagnosticsEngine::Error && construct.empty())
      return;
    SourceNote note{
        {construct.empty() ? "cuda-syntax" : construct, messageOf(info), {m_mainName, 0, 0, 0, 0}}, {}};
    if (info.getLocation().isValid() && info.hasSourceManager())
      place(note, info);
    (construct.empty() ? m_notes.errors : m_notes.marks).push_back(std::move(note));
  }

private:
  static std::string messageOf(const clang::Diagnostic& info) {
    llvm::SmallString<128> message;
    info.FormatDiagnostic(message);
    return message.str().str();
  }

  /// "no matching function" says too little when the function is there, for the host.
  void explain(const clang::Diagnostic& info) {
    if (!m_notes.errors.empty() && m_notes.errors.back().rejection.construct.find("; ") == std::string::npos)
      m_notes.errors.back().rejection.construct += "; " + messageOf(info);
  }

  void place(SourceNote& note, const clang::Diagnostic& info) const {
    const clang::SourceManager& sources = info.getSourceManager();
    const clang::SourceLocation begin = sources.getFileLoc(info.getLocation());
    const auto [file, offset] = sources.getDecomposedLoc(begin);
    if (file == sources.getMainFileID())
      note.offset = offset;
    else
      note.rejection.where.file = sources.getFilename(begin).str();
    const unsigned length = clang::Lexer::MeasureTokenLength(begin, sources, m_options);
    note.rejection.where.line = static_cast<int>(sources.getExpansionLineNumber(begin));
    note.rejection.where.column = static_cast<int>(sources.getExpansionColumnNumber(begin));
    note.rejection.where.endLine = note.rejection.where.line;
    note.rejection.where.endColumn = note.rejection.where.column + static_cast<int>(std::max(length, 1U));
  }

  SourceNotes& m_notes;
  std::string m_mainName;
  clang::LangOptions m_options;
};

/// Headers whose declarations the shim stands for, or that only host code needs.
bool isKnownHeader(llvm::StringRef name, bool angled) {
  if (angled)
    return true;
  static constexpr std::array<const char*, 7> folders = {"torch/",    "ATen/", "c10/",   "cuda",
                                                         "pybind11/", "THC/",  "device_"};
  return std::any_of(folders.begin(), folders.end(),
                     [&](const char* folder) { return name.starts_with(folder); }) ||
         name == "math_constants.h" || name == "math.h" || name == "float.h" || name == "stdint.h" ||
         name == "stdio.h";
}

bool isHarmlessPragma(llvm::StringRef text) {
  static constexpr std::array<const char*, 11> names = {"once",
                                                        "unroll",
                                                        "nounroll",
                                                        "nv_diag",
                                                        "nv_exec_check_disable",
                                                        "hd_warning_disable",
                                                        "warning",
                                                        "GCC diagnostic",
                                                        "message",
                                                        "region",
                                                        "endregion"};
  text = text.ltrim();
  return std::any_of(names.begin(), names.end(), [&](const char* name) { return text.starts_with(name); });
}

/// Macros on which nvcc and the shim agree.
bool isAgreed(llvm::StringRef name) {
  static constexpr std::array<const char*, 8> names = {"__CUDACC__", "__NVCC__", "__cplusplus", "__FILE__",
                                                       "__LINE__",   "M_PI",     "M_E",         "M_SQRT2"};
  return std::any_of(names.begin(), names.end(), [&](const char* each) { return name == each; });
}

/// No macro here, but perhaps one of nvcc or of a header that the shim stands for: reserved names, apart from
/// include guards and names of another vendor's compiler, and the prefixes of those headers.
bool mayBeDefined(llvm::StringRef name) {
  static constexpr std::array<const char*, 6> guards = {"_H", "_HPP", "_CUH", "_CU", "_INCLUDED", "_GUARD"};
  const llvm::StringRef core = name.rtrim('_');
  const bool vendor = name.starts_with("__HIP") || name.starts_with("__AMD");
  if (vendor || std::any_of(guards.begin(), guards.end(), [&](const char* g) { return core.ends_with(g); }))
    return false;
  if (name.starts_with("__") || (name.size() > 1 && name[0] == '_' && name[1] >= 'A' && name[1] <= 'Z'))
    return true;
  static constexpr std::array<const char*, 30> prefixes = {
      "CUDA",   "CUBLAS",   "CUDNN", "CUSPARSE", "CUB_",  "THRUST", "TORCH", "AT_",   "C10_",  "ATEN",
      "CAFFE2", "PYBIND11", "PY_",   "Py_",      "M_",    "FLT_",   "DBL_",  "LDBL_", "CHAR_", "INT",
      "UINT",   "LONG",     "LLONG", "ULONG",    "SHRT_", "SIZE_",  "HUGE_", "FP_",   "EXIT_", "MATH_"};
  static constexpr std::array<const char*, 15> names = {
      "NDEBUG", "NULL",  "NAN",   "INFINITY", "EOF",       "RAND_MAX", "assert", "linux",
      "unix",   "isnan", "isinf", "signbit",  "WARP_SIZE", "stdin",    "errno"};
  return std::any_of(prefixes.begin(), prefixes.end(), [&](const char* p) { return name.starts_with(p); }) ||
         std::any_of(names.begin(), names.end(), [&](const char* each) { return name == each; });
}

/// Notices what the AST does not show: skipped headers, pragmas, tests of the target architecture.
class TextWatcher : public clang::PPCallbacks {
public:
  TextWatcher(clang::Preprocessor& preprocessor, SourceNotes& notes, std::string mainName)
      : m_preprocessor(preprocessor), m_sources(preprocessor.getSourceManager()), m_notes(notes),
        m_mainName(std::move(mainName)) {}

  bool FileNotFound(llvm::StringRef) override { return true; }

  void InclusionDirective(clang::SourceLocation hash, const clang::Token&, llvm::StringRef name, bool angled,
                          clang::CharSourceRange range, clang::OptionalFileEntryRef file, llvm::StringRef,
                          llvm::StringRef, const clang::Module*, bool,
                          clang::SrcMgr::CharacteristicKind) override {
    if (inMainFile(hash) && !file && !isKnownHeader(name, angled))
      m_notes.everywhere.push_back(
          {"unknown-include", "#include \"" + name.str() + "\"", where(range.getAsRange())});
  }

  void PragmaDirective(clang::SourceLocation begin, clang::PragmaIntroducerKind) override {
    if (!inMainFile(begin))
      return;
    const clang::SourceLocation at = m_sources.getExpansionLoc(begin);
    const llvm::StringRef rest =
        m_sources.getBufferData(m_sources.getFileID(at)).drop_front(m_sources.getFileOffset(at));
    llvm::StringRef line = rest.take_until([](char c) { return c == '\n'; });
    line = line.drop_front(
        std::min(line.size(), line.find("pragma") == llvm::StringRef::npos ? 0 : line.find("pragma") + 6));
    if (!isHarmlessPragma(line))
      m_notes.marks.push_back(
          {{"pragma", "#pragma" + line.rtrim().str(), where(at)}, m_sources.getFileOffset(at)});
  }

  void Ifdef(clang::SourceLocation, const clang::Token& name, const clang::MacroDefinition&) override {
    tested(name);
  }
  void Ifndef(clang::SourceLocation, const clang::Token& name, const clang::MacroDefinition&) override {
    tested(name);
  }
  using clang::PPCallbacks::Elifdef;
  using clang::PPCallbacks::Elifndef;
  void Elifdef(clang::SourceLocation, const clang::Token& name, const clang::MacroDefinition&) override {
    tested(name);
  }
  void Elifndef(clang::SourceLocation, const clang::Token& name, const clang::MacroDefinition&) override {
    tested(name);
  }
  void If(clang::SourceLocation, clang::SourceRange condition, ConditionValueKind) override {
    testedIn(condition);
  }
  void Elif(clang::SourceLocation, clang::SourceRange condition, ConditionValueKind kind,
            clang::SourceLocation) override {
    if (kind != CVK_NotEvaluated)
      testedIn(condition);
  }
  void MacroExpands(const clang::Token& name, const clang::MacroDefinition& definition, clang::SourceRange,
                    const clang::MacroArgs*) override {
    look(name);
    // The compiler's own macros have this compiler's values. Those that the shim's headers use are standard.
    const clang::MacroInfo* macro = definition.getMacroInfo();
    const bool written =
        m_sources.getFileID(m_sources.getSpellingLoc(name.getLocation())) == m_sources.getMainFileID();
    if (written && macro && isPredefined(*macro) && !isAgreed(name.getIdentifierInfo()->getName()))
      m_notes.everywhere.push_back({"compiler-dependent",
                                    "use of " + name.getIdentifierInfo()->getName().str(),
                                    where(name.getLocation())});
  }

private:
  bool inMainFile(clang::SourceLocation location) const {
    return m_sources.getFileID(m_sources.getExpansionLoc(location)) == m_sources.getMainFileID();
  }

  void look(const clang::Token& name) {
    const clang::IdentifierInfo* identifier = name.getIdentifierInfo();
    if (identifier && identifier->getName() == "__CUDA_ARCH__" && inMainFile(name.getLocation()))
      m_notes.everywhere.push_back(
          {"architecture-dependent", "test of __CUDA_ARCH__", where(name.getLocation())});
  }

  bool isPredefined(const clang::MacroInfo& macro) const {
    return macro.isBuiltinMacro() || m_sources.isWrittenInBuiltinFile(macro.getDefinitionLoc()) ||
           m_sources.isWrittenInCommandLineFile(macro.getDefinitionLoc());
  }

  /// A conditional directive depends on the macro `name`.
  void tested(const clang::Token& name) {
    std::set<const clang::IdentifierInfo*> seen;
    tested(name, name.getLocation(), seen);
  }

  /// Names that are no macros give no callback, so the condition is read here.
  void testedIn(clang::SourceRange condition) {
    if (!inMainFile(condition.getBegin()))
      return;
    const clang::FileID file = m_sources.getMainFileID();
    const llvm::StringRef text = m_sources.getBufferData(file);
    const unsigned end = m_sources.getFileOffset(m_sources.getExpansionLoc(condition.getEnd()));
    const char* begin =
        text.begin() + m_sources.getFileOffset(m_sources.getExpansionLoc(condition.getBegin()));
    clang::Lexer lexer(m_sources.getLocForStartOfFile(file), m_preprocessor.getLangOpts(), text.begin(),
                       begin, text.end());
    std::set<const clang::IdentifierInfo*> seen;
    clang::Token token;
    while (!lexer.LexFromRawLexer(token) && m_sources.getFileOffset(token.getLocation()) <= end)
      if (token.is(clang::tok::raw_identifier)) {
        m_preprocessor.LookUpIdentifierInfo(token);
        tested(token, token.getLocation(), seen);
      }
  }

  /// Also looks into the source's own macros.
  void tested(const clang::Token& name, clang::SourceLocation at,
              std::set<const clang::IdentifierInfo*>& seen) {
    const clang::IdentifierInfo* identifier = name.getIdentifierInfo();
    if (!identifier || !inMainFile(at) || !seen.insert(identifier).second)
      return;
    const clang::MacroInfo* macro = m_preprocessor.getMacroInfo(identifier);
    if (macro && m_sources.getFileID(macro->getDefinitionLoc()) == m_sources.getMainFileID()) {
      for (const clang::Token& token : macro->tokens())
        tested(token, at, seen);
    } else if (identifier->getName() == "__CUDA_ARCH__") {
      m_notes.everywhere.push_back({"architecture-dependent", "test of __CUDA_ARCH__", where(at)});
    } else if (macro ? !isAgreed(identifier->getName()) : mayBeDefined(identifier->getName())) {
      m_notes.everywhere.push_back(
          {"compiler-dependent", "test of " + identifier->getName().str(), where(at)});
    }
  }

  SourceRange where(clang::SourceRange tokens) const {
    const clang::SourceLocation begin = m_sources.getExpansionLoc(tokens.getBegin());
    clang::SourceLocation end = m_sources.getExpansionLoc(tokens.getEnd());
    end = clang::Lexer::getLocForEndOfToken(end, 0, m_sources, m_preprocessor.getLangOpts());
    if (end.isInvalid())
      end = begin;
    return {m_mainName, static_cast<int>(m_sources.getExpansionLineNumber(begin)),
            static_cast<int>(m_sources.getExpansionColumnNumber(begin)),
            static_cast<int>(m_sources.getExpansionLineNumber(end)),
            static_cast<int>(m_sources.getExpansionColumnNumber(end))};
  }

  clang::Preprocessor& m_preprocessor;
  const clang::SourceManager& m_sources;
  SourceNotes& m_notes;
  std::string m_mainName;
};

/// Hands the finished AST to the reader.
class ReaderConsumer : public clang::ASTConsumer {
public:
  ReaderConsumer(const SourceNotes& notes, std::string mainName, Answer& answer)
      : m_notes(notes), m_mainName(std::move(mainName)), m_answer(answer) {}

  void HandleTranslationUnit(clang::ASTContext& ast) override {
    const SourceMap sources(ast, m_mainName);
    readModule(ast, sources, m_notes, m_answer);
  }

private:
  const SourceNotes& m_notes;
  std::string m_mainName;
  Answer& m_answer;
};

class ReaderAction : public clang::ASTFrontendAction {
public:
  ReaderAction(SourceNotes& notes, std::string mainName, Answer& answer)
      : m_notes(notes), m_mainName(std::move(mainName)), m_answer(answer) {}

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef) override {
    clang::Preprocessor& preprocessor = compiler.getPreprocessor();
    preprocessor.addPPCallbacks(std::make_unique<TextWatcher>(preprocessor, m_notes, m_mainName));
    return std::make_unique<ReaderConsumer>(m_notes, m_mainName, m_answer);
  }

private:
  SourceNotes& m_notes;
  std::string m_mainName;
  Answer& m_answer;
};

/// The device side of a compilation as nvcc does it by default, without any header of the machine.
std::shared_ptr<clang::CompilerInvocation> makeInvocation(clang::DiagnosticsEngine& diagnostics) {
  static const std::string prelude = std::string(shimFolder) + "prelude.h";
  const std::array<const char*, 24> arguments = {"-triple",
                                                 "nvptx64-nvidia-cuda",
                                                 "-aux-triple",
                                                 "x86_64-unknown-linux-gnu",
                                                 "-fcuda-is-device",
                                                 "-target-cpu",
                                                 "sm_70",
                                                 "-x",
                                                 "cuda",
                                                 "-std=c++17",
                                                 "-nobuiltininc",
                                                 "-nostdsysteminc",
                                                 "-U__clang__",
                                                 "-fsyntax-only",
                                                 "-fcxx-exceptions",
                                                 "-fexceptions",
                                                 "-ferror-limit",
                                                 "0",
                                                 "-fbracket-depth",
                                                 "256",
                                                 "-ftemplate-depth=256",
                                                 "-include",
                                                 prelude.c_str(),
                                                 mainFile};
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  clang::CompilerInvocation::CreateFromArgs(*invocation, arguments, diagnostics);
  return invocation;
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> memoryFiles(const std::string& source) {
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  files->addFile(mainFile, 0, llvm::MemoryBuffer::getMemBuffer(source, mainFile));
  for (const auto& [name, content] : shimFiles())
    files->addFile(shimFolder + name, 0, llvm::MemoryBuffer::getMemBuffer(content, name));
  return files;
}

} // namespace

Answer readSource(const std::string& source, const std::string& name) {
  Answer answer;
  SourceNotes notes;
  auto* consumer = new NoteConsumer(notes, name); // owned by the compiler instance
  clang::CompilerInstance compiler;
  const auto files = memoryFiles(source);
  compiler.createDiagnostics(consumer, true);
  compiler.setInvocation(makeInvocation(compiler.getDiagnostics()));
  compiler.getDiagnosticOpts().ShowCarets = 0; // no summary on standard error
  compiler.createFileManager(files);
  ReaderAction action(notes, name, answer);
  compiler.ExecuteAction(action);
  return answer;
}

} // namespace plumbline::cuda
