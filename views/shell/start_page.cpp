#include "views/shell/start_page.h"

#include "views/shell/story_list.h"
#include "views/style/style.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace plumbline::views {

namespace {

QLabel* sentence(const QString& text) {
  auto* label = new QLabel(text);
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  return label;
}

void scale(QLabel* label, double factor) {
  QFont font = QApplication::font();
  if (font.pointSizeF() > 0)
    font.setPointSizeF(font.pointSizeF() * factor);
  font.setBold(true);
  label->setFont(font);
}

} // namespace

StartPage::StartPage(QWidget* parent)
    : QWidget(parent), m_title(sentence(QStringLiteral("Plumbline"))),
      m_intro(sentence(tr("Does a CUDA kernel compute what its PyTorch module says, for every input, on real "
                          "binary32? Open a pair to get a proof, or an input that separates them."))),
      m_samplesHint(sentence(tr("The samples are not installed beside the program."))),
      m_samples(new StoryList), m_recentHint(sentence(tr("Pairs you open will be listed here."))),
      m_recent(new StoryList), m_missing(sentence(QString())) {
  auto* columns = new QHBoxLayout;
  columns->setSpacing(24);
  columns->addWidget(makeLeft(), 3);
  columns->addWidget(makeRight(), 2);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(24, 16, 24, 16);
  all->addWidget(m_title);
  all->addWidget(m_intro);
  all->addSpacing(8);
  all->addLayout(columns, 1);
  m_samples->setAccessibleName(tr("Bundled samples"));
  m_recent->setAccessibleName(tr("Recent pairs"));
  m_missing->setAccessibleName(tr("Missing tools"));
  connect(m_samples, &StoryList::chosen, this, &StartPage::sampleChosen);
  connect(m_recent, &StoryList::chosen, this, &StartPage::recentChosen);
  setSamples({});
  setRecent({});
  setMissing({});
  setFocusProxy(m_samples);
  applyLook();
}

QWidget* StartPage::makeLeft() {
  auto* left = new QWidget;
  auto* column = new QVBoxLayout(left);
  column->setContentsMargins(0, 0, 0, 0);
  m_headings.push_back(sentence(tr("Samples: one click opens and checks")));
  column->addWidget(m_headings.back());
  column->addWidget(m_samplesHint);
  column->addWidget(m_samples, 1);
  column->addStretch(0);
  return left;
}

QWidget* StartPage::makeRight() {
  auto* right = new QWidget;
  auto* column = new QVBoxLayout(right);
  column->setContentsMargins(0, 0, 0, 0);
  m_headings.push_back(sentence(tr("Your own pair")));
  column->addWidget(m_headings.back());
  column->addWidget(
      sentence(tr("Drop a PyTorch module (.py, .pt2, graph .json) and a CUDA kernel (.cu, or .py with "
                  "load_inline) anywhere on this window, or:")));
  auto* open = new QPushButton(tr("Open a Module and a Kernel…  (Ctrl+O)"));
  connect(open, &QPushButton::clicked, this, &StartPage::openRequested);
  column->addWidget(open);
  column->addSpacing(12);
  m_headings.push_back(sentence(tr("Recent")));
  column->addWidget(m_headings.back());
  column->addWidget(m_recentHint);
  column->addWidget(m_recent, 1);
  m_headings.push_back(sentence(tr("This machine")));
  column->addSpacing(12);
  column->addWidget(m_headings.back());
  column->addWidget(m_missing);
  column->addStretch(0);
  return right;
}

void StartPage::setSamples(const std::vector<SampleStory>& samples) {
  m_samples->clear();
  for (const SampleStory& sample : samples)
    m_samples->addStory(sample.name, sample.story,
                        sample.relation.isEmpty() ? QString() : tr("expected: %1").arg(sample.relation));
  if (!samples.empty())
    m_samples->setCurrentRow(0);
  m_samples->setVisible(!samples.empty());
  m_samplesHint->setVisible(samples.empty());
}

void StartPage::setRecent(const RecentPairs& recent) {
  m_recent->clear();
  for (const workbench::Request& request : recent.all())
    m_recent->addStory(pairTitle(request), toQt(request.kernel), QString());
  m_recent->setVisible(!recent.all().empty());
  m_recentHint->setVisible(recent.all().empty());
}

void StartPage::setMissing(const QStringList& missing) {
  m_missing->setText(missing.isEmpty() ? tr("All tools were found.")
                                       : QStringLiteral("⚠ ") + missing.join(QStringLiteral("\n⚠ ")));
}

void StartPage::applyLook() {
  scale(m_title, 2.0);
  for (QLabel* heading : m_headings)
    scale(heading, 1.1);
}

} // namespace plumbline::views
