// Geometry of the graph panel: boxes apart, arrows down, and times at three sizes.

#include "views/graph/layout.h"

#include <QTest>

#include <random>

using namespace plumbline::views;

namespace {

/// A network-like graph: long chains, a few skip connections, parameters beside them. Seeded.
LayoutInput network(int count) {
  std::mt19937 random(7);
  LayoutInput input;
  for (int k = 0; k < count; ++k)
    input.sizes.emplace_back(60 + 10 * static_cast<double>(random() % 8), 40);
  int last = 0;
  for (int k = 1; k < count; ++k) {
    const bool isParameter = random() % 4 == 0 && k + 1 < count;
    if (isParameter) {
      input.edges.emplace_back(k, k + 1); // used by the operator that follows
      continue;
    }
    input.edges.emplace_back(last, k);
    if (k > 10 && random() % 5 == 0)
      input.edges.emplace_back(k - 2 - static_cast<int>(random() % 8), k);
    last = k;
  }
  return input;
}

QRectF box(const LayoutInput& input, const Layout& layout, size_t k) {
  QRectF rect({0, 0}, input.sizes[k]);
  rect.moveCenter(layout.centres[k]);
  return rect;
}

} // namespace

class LayoutTest : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void boxesAreApartAndInsideTheBounds_data();
  void boxesAreApartAndInsideTheBounds();
  void arrowsPointDownFromBoxToBox_data() { boxesAreApartAndInsideTheBounds_data(); }
  void arrowsPointDownFromBoxToBox();
  void oddGraphs();
  void times_data();
  void times();
};

void LayoutTest::boxesAreApartAndInsideTheBounds_data() {
  QTest::addColumn<int>("method");
  QTest::newRow("dot") << int(LayoutMethod::Dot);
  QTest::newRow("layered") << int(LayoutMethod::Layered);
}

void LayoutTest::boxesAreApartAndInsideTheBounds() {
  QFETCH(int, method);
  const LayoutInput input = network(80);
  const Layout layout = layOutBy(input, static_cast<LayoutMethod>(method));
  QCOMPARE(int(layout.method), method);
  QCOMPARE(layout.centres.size(), input.sizes.size());
  const QRectF bounds = layout.bounds.adjusted(-0.5, -0.5, 0.5, 0.5);
  for (size_t a = 0; a < input.sizes.size(); ++a) {
    QVERIFY(bounds.contains(box(input, layout, a)));
    for (size_t b = a + 1; b < input.sizes.size(); ++b)
      QVERIFY(!box(input, layout, a).intersects(box(input, layout, b)));
  }
}

void LayoutTest::arrowsPointDownFromBoxToBox() {
  QFETCH(int, method);
  const LayoutInput input = network(80);
  const Layout layout = layOutBy(input, static_cast<LayoutMethod>(method));
  QCOMPARE(layout.edges.size(), input.edges.size());
  for (size_t k = 0; k < input.edges.size(); ++k) {
    const QRectF from = box(input, layout, static_cast<size_t>(input.edges[k].first)).adjusted(-3, -3, 3, 3);
    const QRectF to = box(input, layout, static_cast<size_t>(input.edges[k].second)).adjusted(-3, -3, 3, 3);
    QVERIFY(!layout.edges[k].isEmpty());
    QVERIFY(from.center().y() < to.center().y());
    QVERIFY(from.contains(layout.edges[k].pointAtPercent(0)));
    QVERIFY(to.contains(layout.edges[k].pointAtPercent(1)));
  }
}

void LayoutTest::oddGraphs() {
  for (LayoutMethod method : {LayoutMethod::Dot, LayoutMethod::Layered}) {
    QVERIFY(layOutBy({}, method).centres.empty());
    const Layout one = layOutBy({{{50, 20}}, {}}, method);
    QCOMPARE(one.centres.size(), size_t{1});
    QCOMPARE(one.bounds.size(), QSizeF(50, 20));
    // A cycle, a loop, a repeated edge, edges to nowhere.
    const Layout odd =
        layOutBy({{{50, 20}, {50, 20}}, {{0, 1}, {1, 0}, {0, 0}, {0, 1}, {0, 9}, {-1, 0}}}, method);
    QCOMPARE(odd.centres.size(), size_t{2});
    QCOMPARE(odd.edges.size(), size_t{6});
    QVERIFY(odd.edges[4].isEmpty() && odd.edges[5].isEmpty());
    QVERIFY(odd.centres[0] != odd.centres[1]);
  }
}

void LayoutTest::times_data() {
  QTest::addColumn<int>("count");
  QTest::newRow("20") << 20;
  QTest::newRow("500") << 500;
  QTest::newRow("1000") << 1000;
  QTest::newRow("1500") << 1500;
  QTest::newRow("5000") << 5000;
}

void LayoutTest::times() {
  QFETCH(int, count);
  const Layout layout = layOut(network(count));
  qInfo("%d nodes: %.1f ms, method %d", count, layout.ms, int(layout.method));
  QCOMPARE(layout.centres.size(), static_cast<size_t>(count));
  QVERIFY2(layout.ms < 2000, "a layout is to take under two seconds at any size");
}

QTEST_GUILESS_MAIN(LayoutTest)
#include "layout_test.moc"
