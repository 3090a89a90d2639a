#!/usr/bin/env bash
# A small shop, an agent that sends patches, and a gate between them. Every command is shown before it
# runs; every claim is checked through git, and a wrong one ends the demo with exit status 1.
#
# Usage: demo.sh PATH-TO-GATEHOUSE
set -euo pipefail

here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
gatehouse=$(readlink -f "${1:?usage: demo.sh PATH-TO-GATEHOUSE}")
scratch=$(mktemp -d "${TMPDIR:-/tmp}/gatehouse-demo.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

# The reader's own git settings stay out of the story.
export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null
export GIT_AUTHOR_NAME='Shop keeper' GIT_AUTHOR_EMAIL=keeper@shop.example
export GIT_COMMITTER_NAME=$GIT_AUTHOR_NAME GIT_COMMITTER_EMAIL=$GIT_AUTHOR_EMAIL
mkdir "$scratch/bin"
ln -s "$gatehouse" "$scratch/bin/gatehouse"
export PATH=$scratch/bin:$PATH

if [[ -t 1 && -z ${NO_COLOR-} ]]; then
  bold=$'\e[1m' dim=$'\e[2m' green=$'\e[32m' red=$'\e[31m' plain=$'\e[0m'
else
  bold='' dim='' green='' red='' plain=''
fi

chapter() { printf '\n%s%s%s\n' "$bold" "$1" "$plain"; }
tell() { printf '%s\n' "$@"; }
holds() { printf '%s  ✓ %s%s\n' "$green" "$1" "$plain"; }
wrong() { printf '%s  ✗ %s%s\n' "$red" "$1" "$plain" >&2; exit 1; }

# show COMMAND…: prints the command, runs it, keeps its exit status in `status`.
show() {
  printf '%s  $ %s%s\n' "$dim" "$*" "$plain"
  status=0
  "$@" >"$scratch/output" 2>&1 || status=$?
  sed "s#$scratch/##g; s/^/    /; s/ *\$//" "$scratch/output"
}

expect_status() { ((status == $1)) || wrong "exit status $status, expected $1"; }

# The state that a refusal must leave alone: commit, index, files, refs.
fingerprint() {
  git rev-parse HEAD
  git write-tree
  git status --porcelain
  git for-each-ref
}

# refused NAME RULE: the gate says no for exactly this reason, and nothing changed.
refused() {
  local before rule
  before=$(fingerprint)
  show gatehouse patch check "$1.patch"
  expect_status 1
  rule=$(gatehouse patch check "$1.patch" --field details.rule 2>/dev/null || true)
  [[ $rule == "$2" ]] || wrong "refused by '$rule', expected '$2'"
  [[ $(fingerprint) == "$before" ]] || wrong "a refused patch left a trace in the repository"
  holds "refused by rule $2; commit, index and files are as before"
}

# checked FILE GATE RULE [OPTION…]: that gate of `gatehouse check` says no for this reason, no other one does.
checked() {
  local before verdict
  before=$(fingerprint)
  show gatehouse check "$1" "${@:4}"
  expect_status 1
  verdict=$(gatehouse check "$1" "${@:4}" --json 2>&1 || true)
  [[ $verdict == *"gate '$2' denied, first $3"* ]] || wrong "not denied by gate $2 for $3"
  [[ $(fingerprint) == "$before" ]] || wrong "a question left a trace in the repository"
  holds "denied by gate $2, rule $3; commit, index and files are as before"
}

# git_takes NAME: shows that git alone would apply these bytes.
git_takes() {
  show git apply --check --numstat "$1.patch"
  expect_status 0
}

chapter "The shop"
tell "A few scripts, a test, and a policy: which folders an agent may touch, how much at once," \
  "and which command must pass before a change counts as landed."
cp -R "$here/shop" "$scratch/shop"
cd "$scratch/shop"
git init --quiet --initial-branch=main
git add --all
git commit --quiet --message 'A shop'
cp "$here"/patches/*.patch .
printf '*.patch\n' >.git/info/exclude
show cat gatehouse.yaml

chapter "1. A good patch"
tell "An agent adds a discount: three files, tests included."
show git apply --numstat discount.patch
show gatehouse patch check discount.patch
expect_status 0
holds "accepted; so far nothing has changed"
expected_tree=$(
  export GIT_INDEX_FILE=$scratch/index
  git read-tree HEAD
  git apply --cached discount.patch
  git write-tree
)
show gatehouse patch apply discount.patch
expect_status 0
[[ $(git write-tree) == "$expected_tree" ]] || wrong "the landed tree is not the one that git makes of this patch"
git diff --quiet || wrong "work tree and index differ"
holds "landed: index and files are tree ${expected_tree:0:12}, the one that git makes of this patch"
show sh bin/price 100 10
git commit --quiet --message 'Discounts'

chapter "2. A second patch hides below the signature"
tell "The reviewer sees one line of README. Below the mail signature stands an old-style section, which" \
  "git applies too:"
git_takes hidden-section
refused hidden-section junk_between_sections

chapter "3. One name on the cover, another inside"
tell "The headline says README.md. git believes the lines below it and changes the tax to nothing:"
git_takes two-names
refused two-names name_mismatch

chapter "4. The right text in the wrong place"
tell "The hunk claims to change line 2. git searches and finds a fit elsewhere; the gate does not guess:"
git_takes moved-hunk
refused moved-hunk hunk_position_mismatch

chapter "5. A comment that reads differently than it runs"
tell "Characters that reverse the reading direction hide code from the reviewer:"
git_takes reversed-text
refused reversed-text content_bidi

chapter "6. Switching off the tests"
tell "A clean diff of a file that steers CI:"
git_takes workflow
refused workflow control_file

chapter "7. A path that climbs out of the repository"
refused climbing-path path_traversal

chapter "8. Prose instead of a diff"
refused prose not_a_diff

chapter "9. Too much at once"
tell "Five new files where the policy allows three. The answer names parts that would fit:"
refused too-many-files max_files

chapter "10. Every gate passes, a test does not"
tell "Rounding changes, with a slip. It lands, the verify command fails, and the gate takes it back:"
before=$(fingerprint)
show gatehouse patch apply round-up.patch
expect_status 1
[[ $(fingerprint) == "$before" ]] || wrong "the rollback left a trace"
git diff --quiet HEAD || wrong "the rollback left changed files"
holds "rolled back; commit, index and files are as before"
tell "The agent repairs its patch and sends it again:"
show gatehouse patch apply round-up-fixed.patch
expect_status 0
show sh tests/run.sh
expect_status 0
git commit --quiet --message 'Round up'
show git log --oneline

chapter "11. A file that the agent did not declare"
tell "From here on the question is 'gatehouse check': the same patch gate, and two more. The agent" \
  "declares one file, and its patch carries another one along:"
show gatehouse analyze --quiet
expect_status 0
show gatehouse change start --session ada --goal 'Sell in other countries' --allow lib/countries.py
expect_status 0
checked undeclared.patch scope GH-SCOPE-001 --session ada
show gatehouse change abandon --session ada
expect_status 0

chapter "12. Copied code"
tell "Every line is fine by itself. The structure gate reads the code before and after, and finds the" \
  "same function twice:"
checked copied.patch structure GH-CLONE-FUNCTION
tell "The same with a call in place of the copy:"
show gatehouse check called.patch
expect_status 0
holds "allowed by patch and structure"
holds "two good patches landed; eleven others were refused, each with its reason"

chapter "What next"
tell "  gatehouse explain content_bidi      why a rule exists and how to repair a patch that broke it" \
  "  gatehouse help --all                every command" \
  "  docs/patch-gate.md                  how to write a policy for your repository"
