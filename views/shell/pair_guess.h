// Which of the files somebody dropped is the module and which the kernel.
#pragma once

#include <QString>
#include <QStringList>

namespace plumbline::views {

enum class FileRole : uint8_t { Unknown, Model, Kernel };

/// By extension (.cu and .cuh are kernels, .json and .pt2 modules) and for .py by content: one that contains
/// CUDA text is a kernel. Reads at most a megabyte.
FileRole roleOf(const QString& file);

struct PairGuess {
  QString model;    ///< empty: not known
  QString kernel;   ///< empty: not known
  QString question; ///< what the user has to decide; empty when both are clear
};

/// One file or two. A single file takes the other side from `openModel` and `openKernel`, the pair that is
/// open.
PairGuess guessPair(const QStringList& files, const QString& openModel, const QString& openKernel);

} // namespace plumbline::views
