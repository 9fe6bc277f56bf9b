// What the window shows before anything is open.
#pragma once

#include "core/workbench/snapshot.h"
#include "views/shell/recent_pairs.h"

#include <QWidget>

class QLabel;

namespace plumbline::views {

class StoryList;

/// A bundled pair with its story.
struct SampleStory {
  QString name;
  QString model;
  QString kernel;
  QString story;
  QString relation; ///< expected under ieee
};

/// Samples one click away, recent pairs, how to open own files, tools that are missing.
class StartPage : public QWidget {
  Q_OBJECT
public:
  explicit StartPage(QWidget* parent = nullptr);

  void setSamples(const std::vector<SampleStory>& samples);
  void setRecent(const RecentPairs& recent);
  /// Sentences: what was not found and what that costs.
  void setMissing(const QStringList& missing);
  void applyLook();

Q_SIGNALS:
  void openRequested();
  void sampleChosen(int index);
  void recentChosen(int index);

private:
  QWidget* makeLeft();
  QWidget* makeRight();

  QLabel* m_title;
  QLabel* m_intro;
  QLabel* m_samplesHint;
  StoryList* m_samples;
  QLabel* m_recentHint;
  StoryList* m_recent;
  QLabel* m_missing;
  std::vector<QLabel*> m_headings;
};

} // namespace plumbline::views
