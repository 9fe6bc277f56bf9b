#!/usr/bin/env bash
# Installs the Debian packages listed in packages.txt. Idempotent: does nothing, without asking the
# network, when all are present. On Debian 12 it adds Debian 13 as a second source of low priority,
# so that nothing else on the machine is upgraded by a later `apt-get upgrade`.
#
# setup.sh            install what is missing
# setup.sh --list     print what is missing, one a line, and install nothing
# setup.sh --source RELEASE   print the entry for Debian 13 made from the machine's entry for RELEASE
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
apt=${PLUMBLINE_APT_DIR:-/etc/apt} # another folder only in tests of the source detection
second_source="$apt/sources.list.d/plumbline-trixie"
pin_file="$apt/preferences.d/plumbline-trixie"

say() { printf '[setup] %s\n' "$*" >&2; }
fail() {
  printf '[setup] error: %s\n' "$1" >&2
  [ $# -gt 1 ] && printf '[setup] next:  %s\n' "$2" >&2
  exit 4
}

# Prints the packages that are absent or older than packages.txt asks for.
missing_packages() {
  local -A wanted=() found=()
  local -a order=()
  local name version relation status
  while read -r name relation version _; do
    case "$name" in ''|'#'*) continue ;; esac
    [ "$relation" = '>=' ] || version=''
    order+=("$name")
    wanted[$name]=$version
  done <"$here/packages.txt"
  while read -r name status version; do
    [ "$status" = installed ] && found[$name]=$version
  done < <(dpkg-query -W -f='${Package} ${db:Status-Status} ${Version}\n' "${order[@]}" 2>/dev/null || true)
  for name in "${order[@]}"; do
    version=${found[$name]:-}
    if [ -z "$version" ]; then
      printf '%s\n' "$name"
    elif [ -n "${wanted[$name]}" ] && dpkg --compare-versions "$version" lt "${wanted[$name]}"; then
      printf '%s\n' "$name"
    fi
  done
}

run_as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif ! command -v sudo >/dev/null 2>&1; then
    fail "packages are missing and this is neither root nor a machine with sudo" \
         "run as root once: packaging/setup/setup.sh"
  elif { : </dev/tty; } 2>/dev/null; then
    sudo "$@"
  else # nobody could type a password
    sudo -n "$@" || fail "sudo could not run '$1' without a password (or it failed: see above)" \
                         "run once in a terminal: packaging/setup/setup.sh"
  fi
}

# The machine's own entry for `release`, in either format that apt reads, rewritten for Debian 13: the same
# address, options and keys. Prints nothing when there is none. Fields that span lines (keys) are kept whole.
stanza_for_trixie() { # release, files in the deb822 format
  local release=$1 file
  shift
  for file in "$@"; do
    [ -r "$file" ] || continue
    awk -v release="$release" '
      function finish(   i, field, entry) {
        if (fields > 0 && suites ~ ("[ \t]" release "[ \t]") && uri ~ /^[a-z+]+:/ && uri !~ /^cdrom:/ &&
            types ~ /[ \t]deb[ \t]/ && enabled !~ /no|false/ && !done) {
          for (i = 1; i <= fields; i++) {
            field = tolower(name[i]); entry = text[i]
            if (field == "types") entry = "Types: deb"
            if (field == "suites") entry = "Suites: trixie"
            if (field == "components") entry = "Components: main"
            print entry
          }
          print ""
          done = 1
        }
        fields = 0; suites = ""; uri = ""; types = ""; enabled = ""
      }
      /^#/ { next }
      /^[ \t]*$/ { finish(); next }
      /^[ \t]/ { if (fields > 0) { text[fields] = text[fields] "\n" $0; note(name[fields], $0) } next }
      { fields++; name[fields] = $0; sub(/:.*/, "", name[fields]); text[fields] = $0
        value = $0; sub(/^[^:]*:/, "", value); note(name[fields], value) }
      function note(field, value,   parts) {
        field = tolower(field)
        if (field == "suites") suites = suites " " value " "
        if (field == "types") types = types " " value " "
        if (field == "enabled") enabled = tolower(value)
        if (field == "uris" && uri == "") { sub(/^[ \t]+/, "", value); split(value, parts, /[ \t]/); uri = parts[1] }
      }
      END { finish() }' "$file"
  done
}
line_for_trixie() { # release, files in the one-line format
  local release=$1 file
  shift
  for file in "$@"; do
    [ -r "$file" ] || continue
    awk -v release="$release" '
      $1 == "deb" {
        line = $0; sub(/#.*/, "", line); options = ""
        if (match(line, /\[[^]]*\]/)) { options = substr(line, RSTART, RLENGTH) " "; sub(/\[[^]]*\]/, "", line) }
        split(line, f, /[ \t]+/)
        if (f[3] == release && f[2] !~ /^cdrom:/) { print "deb " options f[2] " trixie main"; exit }
      }' "$file"
  done
}

trixie_entry() { # release
  local release=$1 text
  text=$(stanza_for_trixie "$release" "$apt"/sources.list.d/*.sources | awk 'NF == 0 { exit } { print }')
  [ -n "$text" ] || text=$(line_for_trixie "$release" "$apt/sources.list" "$apt"/sources.list.d/*.list | head -n 1)
  printf '%s\n' "$text" | grep .
}

# Writes the second source and its pin, if they are not there as they should be.
add_trixie() { # release
  local release=$1 extension=sources text pin
  text=$(trixie_entry "$release") || fail "no Debian source for '$release' found under $apt" "add one, then run this again"
  case "$text" in 'deb '*) extension=list ;; esac
  pin=$(printf 'Package: *\nPin: release n=trixie\nPin-Priority: 100')
  if [ "$(cat "$second_source.$extension" 2>/dev/null)" = "$text" ] && [ "$(cat "$pin_file" 2>/dev/null)" = "$pin" ]; then
    return 0
  fi
  say "adding Debian 13 as a second source of low priority"
  # The pin first: were this interrupted between the two, the machine must not see the newer release unpinned.
  printf '%s\n' "$pin" | run_as_root tee "$pin_file" >/dev/null
  printf '%s\n' "$text" | run_as_root tee "$second_source.$extension" >/dev/null
}

install_packages() { # packages
  local log status=0
  local -a target=()
  # Once packages came from it the machine calls itself trixie, while most of it is still pinned to Debian 12:
  # the file, not the name, says where to take packages from.
  if [ -e "$second_source.sources" ] || [ -e "$second_source.list" ]; then target=(-t trixie); fi
  log=$(mktemp)
  say "reading the package lists"
  run_as_root apt-get -o DPkg::Lock::Timeout=300 update -q >"$log" 2>&1 || {
    tail -n 8 "$log" >&2
    say "warning: apt-get update reported the above; trying with what it has"
  }
  say "installing $# packages (some minutes the first time): $*"
  run_as_root env DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1 apt-get install -q -y --no-install-recommends \
      -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 \
      -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold \
      "${target[@]}" "$@" </dev/null 2>&1 | tee "$log" |
    sed -u -n 's/^\(Get:[0-9]* .*\|Setting up .*\)$/[setup]   \1/p' | cut -c1-110 >&2 || status=$?
  if [ "$status" -ne 0 ]; then
    tail -n 25 "$log" >&2
    rm -f "$log"
    fail "apt-get install failed" "read the lines above; 'apt-get install -f' mends a half-installed state, then run this again"
  fi
  rm -f "$log"
}

main() {
  local release packages
  command -v dpkg-query >/dev/null 2>&1 ||
    fail "this is not a Debian machine (no dpkg)" "install what packaging/setup/packages.txt lists, then run: ./dev build --no-setup"
  if [ "${1:-}" = --source ]; then
    trixie_entry "${2:?release}"
    return
  fi
  mapfile -t packages < <(missing_packages)
  if [ "${1:-}" = --list ]; then
    [ ${#packages[@]} -eq 0 ] || printf '%s\n' "${packages[@]}"
    return 0
  fi
  [ ${#packages[@]} -gt 0 ] || return 0
  # shellcheck source=/dev/null
  release=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-unknown}")
  case "$release" in
    bookworm) add_trixie bookworm ;;
    trixie) ;;
    *) fail "this set-up knows Debian 12 (bookworm) and Debian 13 (trixie), and found '$release'" \
            "install the packages in packaging/setup/packages.txt by hand, then run: ./dev build --no-setup" ;;
  esac
  install_packages "${packages[@]}"
  mapfile -t packages < <(missing_packages)
  [ ${#packages[@]} -eq 0 ] ||
    fail "still missing or too old after installing: ${packages[*]}" "compare 'apt-cache policy ${packages[0]}' with packages.txt"
  say "done"
}

main "$@"
