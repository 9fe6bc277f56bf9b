// What the parts of a document agree on: names of sizes, buffers, scalars and thread coordinates.
#pragma once

#include "core/gate/problem.h"
#include "core/velvet/names.h"
#include "core/velvet/syntax.h"

namespace plumbline::method {

/// One array of the method: a graph input or output.
struct Buffer {
  std::string tensor; ///< name in terms: graph input or "output:<i>"
  std::string name;   ///< current contents
  std::string entry;  ///< contents at the start; the same name when the kernel does not write it
  logic::TermId length{};
  bool written = false;
  bool zeroInitialised = false;
  bool isInput = false;  ///< of the graph
  std::string parameter; ///< first kernel parameter; empty: the kernel does not take it
};

/// An array variable of the kernel.
struct ArrayText {
  std::string name;         ///< current contents; of a constant array its definition
  std::string entry;        ///< parameter: contents before; empty for a constant array
  ir::ScalarType element{}; ///< of what the kernel reads and writes there
  bool perThread = false;   ///< one array holds the cells of all threads of the block, in their order
};

/// A direction in which the launch has more than one thread or block.
struct Axis {
  size_t number = 0;    ///< 0 x, 1 y, 2 z
  std::string gridDim;  ///< parameter, Nat; empty: one block in this direction
  std::string blockDim; ///< parameter, Nat; empty: one thread
  std::string block;    ///< loop counter, Nat
  std::string thread;
  std::string blockIdx; ///< the counter as Int
  std::string threadIdx;
};

struct Environment {
  velvet::NameScope names;
  std::string method;                         ///< prefix of all labels and of the document's own definitions
  std::map<std::string, std::string> sizes;   ///< Int variable of the problem -> parameter
  std::map<std::string, Buffer> buffers;      ///< by tensor
  std::vector<std::string> bufferOrder;       ///< tensors: the kernel's parameters, then other graph inputs
  std::map<std::string, std::string> scalars; ///< kernel parameter -> method parameter
  std::map<std::string, std::string> choices; ///< zero choice -> parameter of the spec
  std::vector<ArrayText> arrays;              ///< by index in the kernel
  std::array<Axis, 3> axes;
  std::string index;  ///< bound variable of clauses about all elements
  std::string thread; ///< number of the thread in its block, where that is an expression; Nat
  std::string count;  ///< ghost counter of finished threads; empty: none

  /// "relu_kernel_" + what for a label or a definition of the document; unique among all its names.
  std::string fresh(const std::string& what) { return names.fresh(method + "_" + what); }
};

/// Chooses the names. `written`: tensors that the kernel stores to.
Environment makeEnvironment(const logic::TermStore& store, const gate::Problem& problem,
                            const std::set<std::string>& written);

/// "x", "y", "z".
std::string axisName(size_t axis);
/// The file name without its folder.
std::string baseName(const std::string& path);
/// With spaces for line ends.
std::string oneLine(std::string text);
/// "kernel.cu:7", or "kernel.cu" when the line is not known.
std::string placeText(const SourceRange& where);

} // namespace plumbline::method
