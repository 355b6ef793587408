#!/bin/sh
# Prints the free space of the file system that holds BUTTONS_ARG_PATH, or the working directory.
set -eu

path=${BUTTONS_ARG_PATH:-.}
report=$(LC_ALL=C df -Pk -- "$path")

# The last line ends in: blocks used available capacity% mount. Only the mount may contain blanks.
# The environment carries the path to awk unchanged; -v would read its backslashes.
printf '%s\n' "$report" | LC_ALL=C BUTTON_PATH=$path awk '
  function json(text,    quoted, at, letter) {
    for (at = 1; at <= length(text); at++) {
      letter = substr(text, at, 1)
      if (letter < " ") letter = "?"
      if (letter == "\"" || letter == "\\") quoted = quoted "\\"
      quoted = quoted letter
    }
    return "\"" quoted "\""
  }
  { line = $0 }
  END {
    if (!match(line, /[0-9]+ +[0-9]+ +-?[0-9]+ +[0-9]+% +\//)) {
      print "df printed something unexpected: " line | "cat 1>&2"
      exit 1
    }
    split(substr(line, RSTART, RLENGTH), field, " +")
    mount = substr(line, RSTART + RLENGTH - 1)
    percent = field[4]
    sub(/%/, "", percent)
    printf "{\"path\":%s,\"mount\":%s,", json(ENVIRON["BUTTON_PATH"]), json(mount)
    printf "\"total_bytes\":%.0f,\"used_bytes\":%.0f,\"free_bytes\":%.0f,", field[1] * 1024, field[2] * 1024, field[3] * 1024
    printf "\"used_percent\":%d}\n", percent
  }'
