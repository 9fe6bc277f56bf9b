#include "views/shell/recent_pairs.h"

#include "views/style/style.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace plumbline::views {

using workbench::Request;

namespace {

QJsonArray toJson(const std::vector<std::string>& texts) {
  QJsonArray result;
  for (const std::string& text : texts)
    result.append(toQt(text));
  return result;
}

std::vector<std::string> textsOf(const QJsonValue& value) {
  std::vector<std::string> result;
  for (const auto& entry : value.toArray())
    if (entry.isString())
      result.push_back(entry.toString().toStdString());
  return result;
}

QJsonObject toJson(const Request& request) {
  return {{QStringLiteral("model"), toQt(request.model)},
          {QStringLiteral("kernel"), toQt(request.kernel)},
          {QStringLiteral("readings"), toJson(request.readings)},
          {QStringLiteral("assume"), toJson(request.assume)},
          {QStringLiteral("mode"), toQt(request.mode)},
          {QStringLiteral("kernelName"), toQt(request.kernelName)},
          {QStringLiteral("launchFile"), toQt(request.launchFile)}};
}

Request requestOf(const QJsonObject& json) {
  Request request;
  const auto text = [&json](QLatin1String key) { return json.value(key).toString().toStdString(); };
  request.model = text(QLatin1String("model"));
  request.kernel = text(QLatin1String("kernel"));
  if (auto readings = textsOf(json.value(QLatin1String("readings"))); !readings.empty())
    request.readings = std::move(readings);
  request.assume = textsOf(json.value(QLatin1String("assume")));
  if (std::string mode = text(QLatin1String("mode")); !mode.empty())
    request.mode = std::move(mode);
  request.kernelName = text(QLatin1String("kernelName"));
  request.launchFile = text(QLatin1String("launchFile"));
  return request;
}

} // namespace

void RecentPairs::add(const Request& request) {
  std::erase_if(m_pairs, [&](const Request& old) {
    return old.model == request.model && old.kernel == request.kernel;
  });
  m_pairs.insert(m_pairs.begin(), request);
  if (m_pairs.size() > limit)
    m_pairs.resize(limit);
}

QByteArray RecentPairs::toText() const {
  QJsonArray array;
  for (const Request& request : m_pairs)
    array.append(toJson(request));
  return QJsonDocument(array).toJson(QJsonDocument::Compact);
}

RecentPairs RecentPairs::fromText(const QByteArray& text) {
  RecentPairs result;
  for (const auto& value : QJsonDocument::fromJson(text).array()) {
    Request request = requestOf(value.toObject());
    if (!request.model.empty() && !request.kernel.empty() && result.m_pairs.size() < limit)
      result.m_pairs.push_back(std::move(request));
  }
  return result;
}

QString pairTitle(const Request& request) {
  const QFileInfo model(toQt(request.model));
  const QFileInfo kernel(toQt(request.kernel));
  const QString folder = kernel.absoluteDir().dirName();
  if (model.absolutePath() == kernel.absolutePath() && !folder.isEmpty())
    return QCoreApplication::translate("RecentPairs", "%1: %2 against %3")
        .arg(folder, kernel.fileName(), model.fileName());
  return QCoreApplication::translate("RecentPairs", "%1 against %2").arg(kernel.fileName(), model.fileName());
}

} // namespace plumbline::views
