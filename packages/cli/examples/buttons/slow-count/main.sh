#!/bin/sh
# Counts from 1 to BUTTONS_ARG_STEPS with a pause before each number, and reports progress.
set -eu

# A whole number without sign and leading zeros; anything else ends the press.
whole() {
  case $2 in
    '' | *[!0-9]*)
      printf '%s must be a whole number, 0 or more\n' "$1" >&2
      exit 2
      ;;
  esac
  # expr reads 007 as 7, where $((007)) would read it as octal; it fails for 0.
  expr "$2" + 0 || :
}

steps=$(whole steps "${BUTTONS_ARG_STEPS:-5}")
seconds=$(whole seconds "${BUTTONS_ARG_SECONDS:-1}")

step=0
while [ "$step" -lt "$steps" ]; do
  sleep "$seconds"
  step=$((step + 1))
  printf 'step %d of %d\n' "$step" "$steps"
  if [ -n "${BUTTONS_PROGRESS_PATH:-}" ]; then
    printf '{"event":"progress","progress":%d,"total":%d,"message":"step %d of %d"}\n' \
      "$step" "$steps" "$step" "$steps" >>"$BUTTONS_PROGRESS_PATH"
  fi
done
