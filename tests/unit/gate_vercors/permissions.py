"""Runs an annotated kernel (annotated.py) on a whole grid and keeps the account of permissions."""

import collections

import annotated
from annotated import Violation

WHOLE = "whole"


class Chunk:
    """What one clause grants one thread: cells with amounts, in units of which `whole` make a permission to write."""

    def __init__(self, cells, whole, text):
        self.cells = collections.Counter()
        self.text = text
        for array, cell, parts in cells:
            if parts <= 0 or whole % parts:
                raise Violation(f"a share of 1/{parts} in: {text}")
            self.cells[(array, cell)] += whole // parts
        for place, amount in self.cells.items():
            if amount > whole:
                raise Violation(f"more than one permission for {place} in: {text}")


class Grid:
    """One launch. `arrays`: {name: list of values}, changed by the run. `dynamic`: elements of dynamic shared memory."""

    def __init__(self, text, block, grid, arrays, scalars, dynamic=None):
        functions = annotated.Reader(text).file()
        self.kernel = next(each for each in functions if each["kernel"])
        writer = annotated.Writer(functions)
        scope = {"FUNCTIONS": annotated.FUNCTIONS, "divide": annotated.divide, "remainder": annotated.remainder}
        exec(compile(writer.module(self.kernel), self.kernel["name"], "exec"), scope)  # our own text of the kernel
        self.run_thread = scope[f"f_{self.kernel['name']}"]
        self.shared_sizes = {name: dynamic if size is None else size for name, size in writer.shared.items()}
        self.block, self.grid, self.arrays = block, grid, arrays
        self.scalars = [scalars[name] for _, pointer, name in self.kernel["parameters"] if not pointer]
        self.whole = block[0] * block[1] * block[2] * grid[0] * grid[1] * grid[2]
        self.chunks = {}
        self.accesses = 0
        self.barriers = 0

    def chunk(self, text, key, make):
        found = self.chunks.get((text, key))
        if found is None:
            found = self.chunks[(text, key)] = Chunk(make(), self.whole, text)
        return found

    def run(self):
        totals = collections.Counter()
        places = [(x, y, z) for z in range(self.grid[2]) for y in range(self.grid[1]) for x in range(self.grid[0])]
        blocks = [self.start_block(place) for place in places]
        for threads, _ in blocks:
            self.add_up(totals, threads, set(self.arrays), "the grid starts")
        for threads, generators in blocks:
            self.run_block(threads, generators)

    def start_block(self, place):
        shared = {name: [None] * size for name, size in self.shared_sizes.items()}
        threads = [Thread(self, place, (x, y, z), shared) for z in range(self.block[2]) for y in range(self.block[1])
                   for x in range(self.block[0])]
        generators = [self.run_thread(thread, *self.scalars) for thread in threads]
        for generator in generators:
            next(generator)
        self.add_up(collections.Counter(), threads, set(shared), "a block starts")
        return threads, generators

    def add_up(self, totals, threads, arrays, when, limit=None):
        """Adds what the threads hold of the arrays to `totals`; nobody may come to more than there is."""
        counts = collections.Counter()
        for thread in threads:
            for chunk, count in thread.held.items():
                counts[chunk] += count
        self.check_sum(totals, counts, arrays, when, limit)

    def check_sum(self, totals, counts, arrays, when, limit=None):
        for chunk, count in counts.items():
            for place, amount in chunk.cells.items():
                if place[0] not in arrays:
                    continue
                totals[place] += amount * count
                if totals[place] > (self.whole if limit is None else limit[place]):
                    raise Violation(f"{when}: more permission for {place} than there is, by: {chunk.text}")

    def run_block(self, threads, generators):
        while True:
            stops = [next(generator, None) for generator in generators]
            if stops.count(None) == len(stops):
                break
            if len(set(stops)) != 1:
                raise Violation("threads of a block at different barriers")
            self.barriers += 1
            collected, handed = collections.Counter(), collections.Counter()
            given = collections.Counter(chunk for thread in threads for chunk in thread.given)
            taken = collections.Counter(chunk for thread in threads for chunk in thread.taken)
            arrays = set(self.arrays) | set(self.shared_sizes)
            self.check_sum(collected, given, arrays, "a barrier collects")
            self.check_sum(handed, taken, arrays, "a barrier hands out", collected)
            for thread in threads:
                thread.held.update(thread.taken)
        for thread in threads:
            thread.end()


class Thread:
    def __init__(self, grid, block, thread, shared):
        self.grid, self.shared = grid, shared
        self.axis = {}
        for name, values in (("blockIdx", block), ("threadIdx", thread), ("blockDim", grid.block), ("gridDim", grid.grid)):
            for axis, value in zip("xyz", values):
                self.axis[f"{name}.{axis}"] = value
        self.held, self.frames = collections.Counter(), []
        self.given, self.taken, self.at_end = [], [], lambda: []

    def array(self, name):
        return self.shared[name] if name in self.shared else self.grid.arrays[name]

    def length(self, name):
        return len(self.array(name))

    # --- Memory ---

    def amount(self, place):
        return sum(chunk.cells.get(place, 0) * count for chunk, count in self.held.items())

    def read(self, name, index):
        self.grid.accesses += 1
        self.inside(name, index)
        if self.amount((name, index)) <= 0:
            raise Violation(f"{self.who()} reads {name}[{index}] without permission")
        value = self.array(name)[index]
        if value is None:
            raise Violation(f"{self.who()} reads {name}[{index}] before it is written")
        return value

    def write(self, name, index, value):
        self.grid.accesses += 1
        self.inside(name, index)
        if self.amount((name, index)) < self.grid.whole:
            raise Violation(f"{self.who()} writes {name}[{index}] without permission")
        self.array(name)[index] = value

    def inside(self, name, index):
        if not 0 <= index < self.length(name):
            raise Violation(f"{self.who()} is outside of {name} at {index}")

    def who(self):
        return (f"thread {[self.axis['threadIdx.' + a] for a in 'xyz']} of block "
                f"{[self.axis['blockIdx.' + a] for a in 'xyz']}")

    # --- Annotations ---

    def granted(self, clauses, where):
        """The permissions of the clauses; their other conditions must hold."""
        chunks = []
        for text, is_permission, key, value in clauses:
            if not is_permission:
                if not value:
                    raise Violation(f"{where}, {self.who()}: false: {text}")
            else:
                chunk = self.grid.chunk(text, key, value)
                for name, index in chunk.cells:
                    if not 0 <= index < self.length(name):
                        raise Violation(f"{where}: a permission outside of {name} at {index}: {text}")
                chunks.append(chunk)
        return chunks

    def start(self, clauses):
        self.held.update(self.granted(clauses, "contract"))

    def remove(self, chunks, where):
        """What the thread gives away it must have."""
        rest = collections.Counter(chunks)
        same = rest & self.held
        rest -= same
        self.held -= same
        if not rest:
            return
        flat = collections.Counter()
        for chunk, count in self.held.items():
            for place, amount in chunk.cells.items():
                flat[place] += amount * count
        for chunk, count in rest.items():
            for place, amount in chunk.cells.items():
                flat[place] -= amount * count
                if flat[place] < 0:
                    raise Violation(f"{where}: {self.who()} does not have {place} of: {chunk.text}")
        left = Chunk([], self.grid.whole, "what is left")
        left.cells = +flat
        self.held = collections.Counter([left])

    def enter(self, clauses):
        chunks = self.granted(clauses, "invariant")
        self.remove(chunks, "invariant at its start")
        self.frames.append(self.held)
        self.held = collections.Counter(chunks)

    def again(self, clauses):
        chunks = self.granted(clauses, "invariant after a turn")
        self.remove(chunks, "invariant after a turn")
        self.held = collections.Counter(chunks)

    def leave(self):
        self.held += self.frames.pop()

    @staticmethod
    def less(measure, before):
        if measure < 0 or (before is not None and measure >= before):
            raise Violation(f"decreases: {measure} after {before}")
        return measure

    def give(self, before, after):
        self.given = self.granted(before, "barrier")
        self.remove(self.given, "barrier")
        self.taken = self.granted(after, "after the barrier")

    def end(self):
        while self.frames:
            self.leave()
        self.remove(self.granted(self.at_end(), "end of the kernel"), "end of the kernel")
