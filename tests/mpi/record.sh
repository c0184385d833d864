#!/bin/bash
# A recording that all processes write is the one that the first of them writes: it has the same
# tables and replays. Without a parallel HDF5 it is refused, with the remedy.
# usage: CAN_SHARE=TRUE|FALSE record.sh DRYSTONE FOLDER MPIEXEC FLAG
drystone=$1 folder=$2/record
launcher=("$3" "$4")
fail() { echo "$1"; exit 1; }
rm -rf "$folder"
mkdir "$folder" && cd "$folder" || exit 1
record() {  # PROCESSES FILE OPTION...
  local count=$1 file=$2
  shift 2
  "${launcher[@]}" "$count" "$drystone" run ball_grid_small --steps 5 --record "$file" --quiet "$@"
}
if [ "$CAN_SHARE" != TRUE ]; then
  record 2 all.h5 --record-parallel 2>refused.txt && fail "no parallel HDF5, and yet done"
  grep -q 'libhdf5-openmpi-dev' refused.txt || fail "no remedy: $(cat refused.txt)"
  [ -e all.h5 ] && fail "a file was made"
  echo "refused"
  exit 0
fi
for count in 1 2 4; do
  record $count first.h5 || fail "no recording by the first process"
  record $count all.h5 --record-parallel || fail "no recording by $count processes"
  for file in first all; do
    "$drystone" export $file.h5 --csv $file --quiet || fail "$file of $count is not read"
    [ "$(wc -l <$file/contacts.csv)" -gt 1000 ] || fail "contacts are missing"
  done
  diff -r first all >different.txt || fail "$count: $(head -4 different.txt)"
  "$drystone" replay all.h5 >replay.txt 2>&1 || fail "no replay: $(cat replay.txt)"
  grep -q '5 steps' replay.txt || fail "steps are missing: $(cat replay.txt)"
  grep -q 'is not complete' replay.txt && fail "it is not closed"
done
record 2 no/folder.h5 --record-parallel 2>wrong.txt && fail "no folder, and yet done"
[ "$(grep -c 'folder' wrong.txt)" -ge 1 ] || fail "no reason: $(cat wrong.txt)"
echo "both are alike"
