#!/usr/bin/env bash
# Runs the grpcurl examples of the README as they stand there, line by line; the first that fails
# ends it with that line. Arguments: the README.
set -euo pipefail
count=0
while IFS= read -r line; do
  count=$((count + 1))
  bash -c "$line" || { echo "failed: $line"; exit 1; }
done < <(sed -n '/^```sh$/,/^```$/p' "$1" | grep '^grpcurl ')
echo "examples: $count"
[ "$count" -ge 12 ]
