#!/usr/bin/env bash
# Installs the Debian packages listed in packages.txt. Idempotent: does nothing, without asking the
# network, when all are present. On Debian 12 it adds Debian 13 as a second source of low priority,
# so nothing else on the machine is upgraded by it.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

say() { printf '[setup] %s\n' "$*" >&2; }
fail() {
  printf '[setup] error: %s\n' "$1" >&2
  [ $# -gt 1 ] && printf '[setup] next:  %s\n' "$2" >&2
  exit 4
}

. /etc/os-release
release=${VERSION_CODENAME:-unknown}
case "$release" in
  bookworm|trixie) ;;
  *) fail "this set-up knows Debian 12 (bookworm) and Debian 13 (trixie); found '${PRETTY_NAME:-$release}'" \
          "install the packages in packaging/setup/packages.txt by hand, then run ./dev build" ;;
esac

mapfile -t packages < <(sed -E 's/[[:space:]]*#.*//; /^$/d' "$here/packages.txt")
missing=()
for package in "${packages[@]}"; do
  # cmake and python3 exist in both releases; the others must come from the newer one on Debian 12,
  # where their absence is decisive.
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
# The newer GoogleTest, JSON library and Z3 are needed as well: an older one of the same name does not do.
too_old() {
  local version
  version=$(dpkg-query -W -f='${Version}' "$1" 2>/dev/null) || return 1
  dpkg --compare-versions "$version" lt "$2"
}
too_old libgtest-dev 1.15 && missing+=(libgtest-dev)
too_old libgmock-dev 1.15 && missing+=(libgmock-dev)
too_old cmake 3.31 && missing+=(cmake)
too_old z3 4.13 && missing+=(z3)

if [ ${#missing[@]} -eq 0 ]; then
  exit 0
fi

run_as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"
  elif command -v sudo >/dev/null 2>&1; then sudo "$@"
  else fail "packages are missing (${missing[*]}) and neither root nor sudo is available" \
            "run as root once: apt-get install ${missing[*]}"
  fi
}

# Prints "URI|keyring" of the machine's own Debian source, in either format apt reads.
existing_source() {
  local file uri key
  for file in /etc/apt/sources.list.d/*.sources; do
    [ -e "$file" ] || continue
    awk -v RS='' -v want="$release" '
      { uri=""; suites=""; key=""
        n=split($0, lines, "\n")
        for (i=1; i<=n; i++) {
          if (lines[i] ~ /^URIs:/)      { sub(/^URIs:[ \t]*/, "", lines[i]); split(lines[i], u, " "); uri=u[1] }
          if (lines[i] ~ /^Suites:/)    { suites=lines[i] " " }
          if (lines[i] ~ /^Signed-By:/) { sub(/^Signed-By:[ \t]*/, "", lines[i]); key=lines[i] } }
        if (suites ~ ("[ \t]" want "[ \t]") && uri != "") { print uri "|" key; exit } }' "$file"
  done | head -n 1 | grep . && return 0
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ -e "$file" ] || continue
    uri=$(awk -v want="$release" '$1 == "deb" { line=$0; sub(/\[[^]]*\]/, "", line); split(line, f, " ");
                                    if (f[3] == want) { print f[2]; exit } }' "$file")
    key=$(sed -nE "s/^deb[[:space:]]+\[[^]]*signed-by=([^] ]+).*[[:space:]]$release[[:space:]].*/\1/p" "$file" | head -n 1)
    if [ -n "$uri" ]; then printf '%s|%s\n' "$uri" "$key"; return 0; fi
  done
  return 1
}

target=()
if [ "$release" = bookworm ]; then
  found=$(existing_source) || fail "no Debian source for '$release' found under /etc/apt" \
                                   "add one, then run this again"
  uri=${found%%|*}
  key=${found#*|}
  [ -n "$key" ] || key=/usr/share/keyrings/debian-archive-keyring.gpg
  sources=$(printf 'Types: deb\nURIs: %s\nSuites: trixie\nComponents: main\nSigned-By: %s\n' "$uri" "$key")
  pin=$(printf 'Package: *\nPin: release n=trixie\nPin-Priority: 100\n')
  if [ "$(cat /etc/apt/sources.list.d/plumbline-trixie.sources 2>/dev/null)" != "$sources" ]; then
    say "adding Debian 13 as a second source of low priority"
    printf '%s\n' "$sources" | run_as_root tee /etc/apt/sources.list.d/plumbline-trixie.sources >/dev/null
    printf '%s\n' "$pin" | run_as_root tee /etc/apt/preferences.d/plumbline-trixie >/dev/null
  fi
  target=(-t trixie)
fi

say "installing ${#missing[@]} packages (some minutes the first time): ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
run_as_root apt-get update -q >"$log" 2>&1 || { tail -n 15 "$log" >&2; fail "apt-get update failed" "check the network and /etc/apt"; }
run_as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
    -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold -o Dpkg::Use-Pty=0 "${target[@]}" \
    "${missing[@]}" 2>&1 | tee "$log" | sed -n 's/^\(Get:[0-9]* .*\|Setting up .*\)$/[setup]   \1/p' | cut -c1-110 >&2 \
  || { tail -n 25 "$log" >&2; fail "apt-get install failed" "read the lines above; 'apt-get install -f' mends a broken state"; }
say "done"
