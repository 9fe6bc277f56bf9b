// Which thread writes which element: an index map from threads to elements and its proposed inverse.
#pragma once

#include "core/vc/symbolic_thread.h"

namespace plumbline::vc {

/// For element `element` (an Int variable), the coordinates of the thread that is proposed to write it. A
/// proposal: the gate proves that this thread exists, is active and writes exactly that element.
struct ThreadWitness {
  std::array<logic::TermId, 3> block;
  std::array<logic::TermId, 3> thread;
};

/// Recognises index = R + sum over axes of K_a * (blockIdx.a * blockDim.a + threadIdx.a) with strides K
/// forming a mixed radix (1, W, W*H), or with one axis of stride -1; R does not depend on the thread. Returns
/// nothing when the index has another shape.
std::optional<ThreadWitness> proposeWitness(logic::TermStore& store, logic::TermId index,
                                            logic::TermId element, const ThreadGeometry& geometry);

/// Replaces the thread coordinates in `term` by those of the witness and normalises the integers.
logic::TermId atWitness(logic::TermStore& store, logic::TermId term, const ThreadWitness& witness);

/// The variables "blockIdx.x" ... "threadIdx.z".
logic::TermId blockVariable(logic::TermStore& store, size_t axis);
logic::TermId threadVariable(logic::TermStore& store, size_t axis);

} // namespace plumbline::vc
