// Theme and size of everything in the window.
#pragma once

#include <QFont>
#include <QObject>
#include <QPalette>

namespace plumbline::views {

enum class Theme : uint8_t { System, Light, Dark };

/// "system", "light", "dark"; another name gives nothing.
std::optional<Theme> themeFromName(const QString& name);
QString name(Theme theme);

/// The palettes. Text has a contrast of at least 4.5 on its background, disabled text excepted.
QPalette lightPalette();
QPalette darkPalette();

/// Applies theme and zoom to the application. One a program; GUI thread only.
class Appearance : public QObject {
  Q_OBJECT
public:
  static constexpr int smallestZoom = 60;
  static constexpr int largestZoom = 300;

  explicit Appearance(QObject* parent = nullptr);

  Theme theme() const { return m_theme; }
  void setTheme(Theme theme);
  /// Per cent of the system's font size, kept between the bounds.
  int zoom() const { return m_zoom; }
  void setZoom(int percent);

Q_SIGNALS:
  /// Fonts or colours of the application are others now.
  void changed();

private:
  void apply();

  QFont m_base;
  Theme m_theme = Theme::System;
  int m_zoom = 100;
};

} // namespace plumbline::views
