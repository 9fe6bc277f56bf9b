#include "views/shell/appearance.h"

#include <QApplication>
#include <QStyle>
#include <QStyleFactory>
#include <QStyleHints>

#include <algorithm>
#include <cmath>

namespace plumbline::views {

namespace {

struct Colors {
  QRgb window, base, alternate, text, faint, button, highlight, highlightedText, link, tip, edge;
};

QPalette paletteOf(const Colors& c) {
  QPalette palette(QColor::fromRgb(c.button), QColor::fromRgb(c.window));
  const auto set = [&palette](QPalette::ColorRole role, QRgb color) {
    palette.setColor(role, QColor::fromRgb(color));
  };
  set(QPalette::WindowText, c.text);
  set(QPalette::Text, c.text);
  set(QPalette::ButtonText, c.text);
  set(QPalette::Base, c.base);
  set(QPalette::AlternateBase, c.alternate);
  set(QPalette::PlaceholderText, c.faint);
  set(QPalette::Highlight, c.highlight);
  set(QPalette::Accent, c.highlight);
  set(QPalette::HighlightedText, c.highlightedText);
  set(QPalette::Link, c.link);
  set(QPalette::LinkVisited, c.link);
  set(QPalette::ToolTipBase, c.tip);
  set(QPalette::ToolTipText, c.text);
  set(QPalette::BrightText, c.text);
  set(QPalette::Mid, c.edge);
  for (QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    palette.setColor(QPalette::Disabled, role, QColor::fromRgb(c.faint));
  return palette;
}

} // namespace

std::optional<Theme> themeFromName(const QString& name) {
  for (Theme theme : {Theme::System, Theme::Light, Theme::Dark})
    if (views::name(theme) == name)
      return theme;
  return std::nullopt;
}

QString name(Theme theme) {
  switch (theme) {
  case Theme::System: return QStringLiteral("system");
  case Theme::Light: return QStringLiteral("light");
  case Theme::Dark: return QStringLiteral("dark");
  }
  return {};
}

QPalette lightPalette() {
  return paletteOf({.window = 0xf3f4f6,
                    .base = 0xffffff,
                    .alternate = 0xf6f7f9,
                    .text = 0x1f2328,
                    .faint = 0x666c74,
                    .button = 0xe9ebee,
                    .highlight = 0x1f5fae,
                    .highlightedText = 0xffffff,
                    .link = 0x1a56a0,
                    .tip = 0xfffbe6,
                    .edge = 0xb8bdc4});
}

QPalette darkPalette() {
  return paletteOf({.window = 0x26282c,
                    .base = 0x1e1f22,
                    .alternate = 0x232529,
                    .text = 0xe6e6e6,
                    .faint = 0xa0a6ad,
                    .button = 0x34373c,
                    .highlight = 0x2f65ad,
                    .highlightedText = 0xffffff,
                    .link = 0x8ab8ff,
                    .tip = 0x34373c,
                    .edge = 0x50555c});
}

Appearance::Appearance(QObject* parent) : QObject(parent), m_base(QApplication::font()) {
  // One style everywhere: it draws with the palette alone, so both themes look as they were designed.
  QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
  connect(QGuiApplication::styleHints(), &QStyleHints::colorSchemeChanged, this, [this] {
    if (m_theme == Theme::System)
      apply();
  });
  apply();
}

void Appearance::setTheme(Theme theme) {
  if (theme == m_theme)
    return;
  m_theme = theme;
  apply();
}

void Appearance::setZoom(int percent) {
  const int zoom = std::clamp(percent, smallestZoom, largestZoom);
  if (zoom == m_zoom)
    return;
  m_zoom = zoom;
  apply();
}

void Appearance::apply() {
  const bool dark =
      m_theme == Theme::Dark ||
      (m_theme == Theme::System && QGuiApplication::styleHints()->colorScheme() == Qt::ColorScheme::Dark);
  QApplication::setPalette(dark ? darkPalette() : lightPalette());
  QFont font = m_base;
  if (font.pointSizeF() > 0)
    font.setPointSizeF(m_base.pointSizeF() * m_zoom / 100.0);
  else
    font.setPixelSize(static_cast<int>(std::lround(m_base.pixelSize() * m_zoom / 100.0)));
  QApplication::setFont(font);
  Q_EMIT changed();
}

} // namespace plumbline::views
