#include "views/editor/syntax.h"

#include <KSyntaxHighlighting/Repository>
#include <QtResource>

namespace plumbline::views {

using Style = KSyntaxHighlighting::Theme::TextStyle;

namespace {

QString nameOf(Language language) {
  switch (language) {
  case Language::Plain: return {};
  case Language::Cuda: return QStringLiteral("Plumbline CUDA");
  case Language::Velvet: return QStringLiteral("Lean and Velvet");
  case Language::SmtLib: return QStringLiteral("SMT-LIB");
  case Language::Ptx: return QStringLiteral("PTX");
  }
  return {};
}

WordLook plain(QRgb light, QRgb dark, bool isDark) {
  return {QColor::fromRgb(isDark ? dark : light)};
}

} // namespace

KSyntaxHighlighting::Definition definitionOf(Language language) {
  static const KSyntaxHighlighting::Repository repository;
  return language == Language::Plain ? KSyntaxHighlighting::Definition()
                                     : repository.definitionForName(nameOf(language));
}

WordLook wordLook(Style style, bool dark) {
  switch (style) {
  case Style::Normal:
  case Style::Variable:
  case Style::Others: return plain(0x1f2328, 0xe6e6e6, dark);
  case Style::Operator: return plain(0x3b4148, 0xd4d8dc, dark);
  case Style::Keyword: {
    WordLook look = plain(0x0b3d91, 0xadd0ff, dark);
    look.bold = true;
    return look;
  }
  case Style::ControlFlow: {
    WordLook look = plain(0x861563, 0xffbbe8, dark);
    look.bold = true;
    return look;
  }
  case Style::Function: return plain(0x5b2a9d, 0xdcc6ff, dark);
  case Style::BuiltIn: return plain(0x08525f, 0x97e3f0, dark);
  case Style::Extension: return plain(0x703a00, 0xffd2a3, dark);
  case Style::Preprocessor:
  case Style::Import: return plain(0x5a4a00, 0xecdc92, dark);
  case Style::Attribute: return plain(0x803600, 0xffcda3, dark);
  case Style::DataType: return plain(0x0a4b86, 0xaedcff, dark);
  case Style::Char:
  case Style::String:
  case Style::VerbatimString: return plain(0x0a5430, 0xaae8b8, dark);
  case Style::SpecialChar:
  case Style::SpecialString: return plain(0x00524a, 0x96ead9, dark);
  case Style::DecVal:
  case Style::BaseN:
  case Style::Float: return plain(0x921a1a, 0xffc0b8, dark);
  case Style::Constant: return plain(0x701c96, 0xe6c3ff, dark);
  case Style::Comment: {
    WordLook look = plain(0x505860, 0xc2c9d0, dark);
    look.italic = true;
    return look;
  }
  case Style::Documentation:
  case Style::Annotation:
  case Style::CommentVar:
  case Style::RegionMarker: return plain(0x47535e, 0xc6cfd8, dark);
  case Style::Information: return plain(0x0a4b86, 0xaedcff, dark);
  case Style::Warning: return plain(0x803600, 0xffcda3, dark);
  case Style::Alert:
  case Style::Error: {
    WordLook look = plain(0x9f1a10, 0xffbdb7, dark);
    look.bold = true;
    return look;
  }
  }
  return plain(0x1f2328, 0xe6e6e6, dark);
}

} // namespace plumbline::views
