#!/bin/sh
# Compiles the Lake packages of this folder and writes into every file that compiled when and with what it did.
#   lean/check.sh            everything but the sweeps and the reals
#   lean/check.sh --sweep    and the lemmas proved by trying all 2^32 values (minutes to hours)
#   lean/check.sh --real     and the reals (downloads Mathlib)
# Exit status: 0 everything compiled, 1 something did not (each file is named), 3 Lake is not installed.
set -u
cd "$(dirname "$0")" || exit 1

sweep=no
real=no
for word in "$@"; do
  case $word in
  --sweep) sweep=yes ;;
  --real) real=yes ;;
  *)
    echo "lean-check-usage: unknown option '$word'; the options are --sweep and --real" >&2
    exit 2
    ;;
  esac
done

if ! command -v lake >/dev/null 2>&1; then
  echo "lean-check-no-lake: lake is not on PATH, so nothing was compiled and no file was changed." >&2
  echo "Install elan (Lean's toolchain manager) and run this again; the toolchain is named in lean/lean-toolchain." >&2
  exit 3
fi

failed=0
compiled=""

# $1: folder of the package; $2: a source file below it; $3: its module
compile() {
  if (cd "$1" && lake build "+$3"); then
    compiled="$compiled $1/$2"
  else
    echo "lean-check-failed: $1/$2 ($3)" >&2
    failed=$((failed + 1))
  fi
}

# $1: folder of the package; $2: its library
library() {
  for file in $(cd "$1" && find "$2" "$2.lean" -name '*.lean' | sort); do
    module=$(echo "${file%.lean}" | tr / .)
    compile "$1" "$file" "$module"
  done
}

library . Plumbline
if [ $sweep = yes ]; then library . PlumblineSweep; fi
if [ $real = yes ]; then
  (cd real && lake exe cache get) || echo "lean-check-no-cache: Mathlib will be compiled here" >&2
  library real PlumblineReal
fi

# At the end: a changed file is compiled anew.
for file in $compiled; do
  case $file in
  real/*) toolchain=real/lean-toolchain ;;
  *) toolchain=lean-toolchain ;;
  esac
  sed -i "1s|.*|-- last compiled: $(date -u +%Y-%m-%d) with $(cat $toolchain)|" "$file"
done

if [ $failed -ne 0 ]; then
  echo "lean-check: $failed files did not compile" >&2
  exit 1
fi
echo "lean-check: every file compiled"
