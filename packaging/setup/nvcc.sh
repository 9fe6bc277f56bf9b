#!/usr/bin/env bash
# Gets NVIDIA's compiler from its Python packages into .cache/nvcc, where Plumbline looks for it. Compiling to PTX
# needs no GPU and no driver. Optional: without it `plumbline import cuda --ptx` and the readings device:nvcc-* say
# that it is missing, and everything else works. Idempotent; does nothing when the machine has an nvcc of its own.
#
# nvcc.sh            get it; exit status 1 when that fails
# nvcc.sh --attempt  the same for set-ups: a failure is reported, not an error, and not repeated for a day
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
folder="$root/.cache/nvcc"
failed="$root/.cache/nvcc.failed"

# One release: the compiler, its back end, and the headers that it includes (about 105 MB).
packages=(nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-cuda-runtime==13.0.96
          nvidia-cuda-cccl==13.0.85)

say() { printf '[setup] %s\n' "$*" >&2; }

has_nvcc() {
  local program
  command -v nvcc >/dev/null 2>&1 && return 0
  for program in "${CUDA_HOME:-/nowhere}/bin/nvcc" "${CUDA_PATH:-/nowhere}/bin/nvcc" /usr/local/cuda/bin/nvcc \
                 "$folder"/nvidia/cu*/bin/nvcc; do
    [ -x "$program" ] && return 0
  done
  return 1
}

install() {
  local python log
  log=$(mktemp)
  for python in /usr/bin/python3 python3; do
    "$python" -m pip --version >/dev/null 2>&1 || continue
    say "getting nvcc ${packages[0]##*=} (about 105 MB, once)"
    rm -rf "$folder.new"
    if timeout 900 "$python" -m pip install --quiet --no-deps --only-binary=:all: --disable-pip-version-check \
        --target "$folder.new" "${packages[@]}" >"$log" 2>&1 </dev/null; then
      rm -rf "$folder" "$log" && mv "$folder.new" "$folder" && return 0
    fi
    break
  done
  rm -rf "$folder.new"
  tail -n 3 "$log" >&2
  rm -f "$log"
  return 1
}

has_nvcc && exit 0
mkdir -p "$root/.cache"
if [ "${1:-}" = --attempt ] && [ -n "$(find "$failed" -mmin -1440 2>/dev/null)" ]; then exit 0; fi
if install; then
  rm -f "$failed"
  exit 0
fi
touch "$failed"
say "nvcc could not be installed; what needs it (PTX) will say so. Try again: ./dev nvcc"
[ "${1:-}" = --attempt ]
