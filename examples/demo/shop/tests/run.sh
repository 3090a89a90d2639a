#!/bin/sh
# Each line: expected price, net price.
set -eu
cd "$(dirname "$0")/.."

expect() {
  got=$(sh bin/price "$2")
  [ "$got" = "$1" ] || { echo "price $2: expected $1, got $got" >&2; exit 1; }
}

expect 120 100
expect 0 0
expect 60 50
