#include "views/style/style.h"

#include <QApplication>
#include <QCoreApplication>
#include <QFontDatabase>
#include <QPalette>

namespace plumbline::views {

using workbench::CaseStatus;
using workbench::NodeKind;
using workbench::Tone;

namespace {

/// The first on a light base, the second on a dark one.
QColor pick(QRgb light, QRgb dark) {
  return QColor::fromRgb(isDark() ? dark : light);
}

} // namespace

bool isDark() {
  return QGuiApplication::palette().color(QPalette::Base).lightness() < 128;
}

QString statusSymbol(CaseStatus status) {
  switch (status) {
  case CaseStatus::Open: return QStringLiteral("○");
  case CaseStatus::Closed: return QStringLiteral("✔");
  case CaseStatus::Empty: return QStringLiteral("∅");
  case CaseStatus::Witnessed: return QStringLiteral("✘");
  case CaseStatus::Conflict: return QStringLiteral("⚠");
  case CaseStatus::Split: return QStringLiteral("◐");
  }
  return {};
}

QString statusWord(CaseStatus status) {
  switch (status) {
  case CaseStatus::Open: return QCoreApplication::translate("status", "open");
  case CaseStatus::Closed: return QCoreApplication::translate("status", "closed");
  case CaseStatus::Empty: return QCoreApplication::translate("status", "empty");
  case CaseStatus::Witnessed: return QCoreApplication::translate("status", "witnessed");
  case CaseStatus::Conflict: return QCoreApplication::translate("status", "conflict");
  case CaseStatus::Split: return QCoreApplication::translate("status", "split");
  }
  return {};
}

QColor statusColor(CaseStatus status) {
  switch (status) {
  case CaseStatus::Open: return pick(0x5a5a5a, 0xb8b8b8);
  case CaseStatus::Closed: return pick(0x1a7f37, 0x57d27a);
  case CaseStatus::Empty: return pick(0x2f6f8f, 0x7cc4e4);
  case CaseStatus::Witnessed: return pick(0xb42318, 0xff8a80);
  case CaseStatus::Conflict: return pick(0x8a2be2, 0xd6a4ff);
  case CaseStatus::Split: return pick(0x6b5900, 0xe0c860);
  }
  return {};
}

QColor statusFill(CaseStatus status) {
  switch (status) {
  case CaseStatus::Open: return pick(0xf0f0f0, 0x383838);
  case CaseStatus::Closed: return pick(0xd9f2df, 0x1d4427);
  case CaseStatus::Empty: return pick(0xdcecf5, 0x1f3d4d);
  case CaseStatus::Witnessed: return pick(0xfde0dd, 0x5a2320);
  case CaseStatus::Conflict: return pick(0xeddcff, 0x45265f);
  case CaseStatus::Split: return pick(0xf7f0d0, 0x453d1a);
  }
  return {};
}

QColor toneColor(Tone tone) {
  switch (tone) {
  case Tone::Neutral: return QGuiApplication::palette().color(QPalette::Text);
  case Tone::Good: return statusColor(CaseStatus::Closed);
  case Tone::Weak: return statusColor(CaseStatus::Split);
  case Tone::Bad: return statusColor(CaseStatus::Witnessed);
  case Tone::Alarm: return statusColor(CaseStatus::Conflict);
  }
  return {};
}

QString kindWord(NodeKind kind) {
  switch (kind) {
  case NodeKind::Input: return QCoreApplication::translate("kind", "input");
  case NodeKind::Parameter: return QCoreApplication::translate("kind", "parameter");
  case NodeKind::Buffer: return QCoreApplication::translate("kind", "buffer");
  case NodeKind::Constant: return QCoreApplication::translate("kind", "constant");
  case NodeKind::Operator: return QCoreApplication::translate("kind", "operator");
  case NodeKind::Output: return QCoreApplication::translate("kind", "output");
  }
  return {};
}

QColor kindFill(NodeKind kind) {
  switch (kind) {
  case NodeKind::Input: return pick(0xd9ecff, 0x1d3b57);
  case NodeKind::Parameter: return pick(0xfbe7c6, 0x533d17);
  case NodeKind::Buffer: return pick(0xf3ead8, 0x443a28);
  case NodeKind::Constant: return pick(0xe8e8e8, 0x3c3c3c);
  case NodeKind::Operator: return pick(0xf7f7fb, 0x2b2d36);
  case NodeKind::Output: return pick(0xe0f2d8, 0x264a1c);
  }
  return {};
}

QColor faintText() {
  return pick(0x6f6f6f, 0x9a9a9a);
}

QColor problemText() {
  return statusColor(CaseStatus::Witnessed);
}

QColor linkedFill() {
  return pick(0xfff1a8, 0x5c5215);
}

QColor linkedEdge() {
  return pick(0xb07d00, 0xf2c94c);
}

QFont fixedFont() {
  QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  const QFont base = QApplication::font();
  if (base.pointSizeF() > 0)
    font.setPointSizeF(base.pointSizeF());
  else
    font.setPixelSize(base.pixelSize());
  return font;
}

QString timeText(double ms) {
  if (ms <= 0)
    return {};
  if (ms < 1000)
    return QCoreApplication::translate("time", "%1 ms").arg(ms, 0, 'f', ms < 10 ? 1 : 0);
  return QCoreApplication::translate("time", "%1 s").arg(ms / 1000, 0, 'f', 1);
}

QString oneLine(const QString& longText, int length) {
  // Long texts are cut before anything is replaced in them.
  QString line = longText.left(length + 1);
  line.replace(QLatin1Char('\n'), QLatin1Char(' '));
  if (line.size() > length)
    line = line.left(length - 1) + QStringLiteral("…");
  return line;
}

} // namespace plumbline::views
