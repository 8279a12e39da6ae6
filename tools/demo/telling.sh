# The output functions of the demo scripts.

say() { printf '\n\033[1m── %s\033[0m\n' "$*"; }
# Prints a command in a form that can be typed, then runs it.
run() {
  local shown='' word
  for word; do
    case $word in
      *[!A-Za-z0-9_./:=,@%+-]*) shown+=" '$word'" ;;
      *) shown+=" $word" ;;
    esac
  done
  printf '\033[36m$%s\033[0m\n' "$shown"
  "$@"
}

# until_true WHAT COMMAND…: waits up to 30 s for the command to succeed.
until_true() {
  local what=$1 deadline=$((SECONDS + 30))
  shift
  until "$@" >/dev/null 2>&1; do
    if [ $SECONDS -ge $deadline ]; then
      echo "demo: gave up waiting for: $what" >&2
      return 1
    fi
    sleep 0.1
  done
}
