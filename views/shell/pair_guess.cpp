#include "views/shell/pair_guess.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>

#include <utility>

namespace plumbline::views {

namespace {

constexpr qint64 readLimit = 1 << 20;

QString text(const char* source) {
  return QCoreApplication::translate("PairGuess", source);
}

PairGuess guessTwo(const QString& first, const QString& second) {
  FileRole a = roleOf(first);
  FileRole b = roleOf(second);
  // What one of them is decides for the other, when that one may be either.
  const auto mayBeModel = [](const QString& file) { return file.endsWith(QLatin1String(".py")); };
  if (a == FileRole::Kernel && b == FileRole::Unknown && mayBeModel(second))
    b = FileRole::Model;
  if (b == FileRole::Kernel && a == FileRole::Unknown && mayBeModel(first))
    a = FileRole::Model;
  if (a == FileRole::Model && b == FileRole::Unknown && mayBeModel(second))
    b = FileRole::Kernel;
  if (b == FileRole::Model && a == FileRole::Unknown && mayBeModel(first))
    a = FileRole::Kernel;
  if (a == FileRole::Model && b == FileRole::Kernel)
    return {first, second, {}};
  if (a == FileRole::Kernel && b == FileRole::Model)
    return {second, first, {}};
  if (a == FileRole::Kernel && b == FileRole::Kernel)
    return {first, second, text("Both files contain CUDA text. Which of them is the PyTorch module?")};
  return {first, second, text("Which file is the PyTorch module, and which the CUDA kernel?")};
}

} // namespace

FileRole roleOf(const QString& file) {
  const QString suffix = QFileInfo(file).suffix().toLower();
  if (suffix == QLatin1String("cu") || suffix == QLatin1String("cuh"))
    return FileRole::Kernel;
  if (suffix == QLatin1String("json") || suffix == QLatin1String("pt2"))
    return FileRole::Model;
  if (suffix != QLatin1String("py"))
    return FileRole::Unknown;
  QFile source(file);
  if (!source.open(QIODevice::ReadOnly))
    return FileRole::Unknown;
  const QByteArray content = source.read(readLimit);
  if (content.contains("__global__") || content.contains("load_inline"))
    return FileRole::Kernel;
  return content.contains("nn.Module") ? FileRole::Model : FileRole::Unknown;
}

PairGuess guessPair(const QStringList& files, const QString& openModel, const QString& openKernel) {
  if (files.size() == 2)
    return guessTwo(files[0], files[1]);
  if (files.size() != 1)
    return {openModel, openKernel, text("Drop one file, or a module and a kernel together.")};
  switch (roleOf(files[0])) {
  case FileRole::Model:
    return {files[0], openKernel,
            openKernel.isEmpty() ? text("Which kernel is meant to compute it?") : QString()};
  case FileRole::Kernel:
    return {openModel, files[0],
            openModel.isEmpty() ? text("Which PyTorch module is it meant to compute?") : QString()};
  case FileRole::Unknown: break;
  }
  return {files[0], openKernel, text("Is this file the PyTorch module or the CUDA kernel?")};
}

} // namespace plumbline::views
