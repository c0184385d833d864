#!/bin/bash
# What processes save goes on: to the bit on as many, and within the tolerance on others. A
# recording of them is read as any other.
# usage: restart.sh DRYSTONE FOLDER MPIEXEC FLAG
drystone=$1 folder=$2
shift 2
launcher=("$@")
cd "$folder" || exit 1
run() { "$drystone" run ball_grid_small --quiet "$@"; }
runOn() {
  local count=$1
  shift
  "${launcher[@]}" "$count" "$drystone" run ball_grid_small --quiet "$@"
}
fail() { echo "$1"; exit 1; }
for count in 2 4; do
  whole=$(runOn $count --steps 12 --save whole.state --save-every 6 --hash) || fail "no run"
  runOn $count --steps 6 --save half.state --record half.h5 || fail "nothing saved"
  again=$(runOn $count --steps 6 --restore half.state --hash) || fail "no restart"
  { [ -n "$whole" ] && [ "$whole" = "$again" ]; } || fail "$count processes: $whole, then $again"
  # The last step missed no tolerance, on any number.
  for other in 2 3; do
    runOn $other --steps 6 --restore half.state --strict || fail "$count to $other processes"
  done
  run --steps 6 --restore half.state --strict || fail "$count processes to one"
  "$drystone" replay half.h5 --quiet || fail "no replay"
  "$drystone" export half.h5 --csv half_tables --quiet || fail "no export"
  [ "$(wc -l <half_tables/bodies.csv)" -gt 3000 ] || fail "bodies are missing"
done
# What one process saves, several take.
run --steps 6 --save one.state || fail "one process saved nothing"
runOn 3 --steps 6 --restore one.state --strict || fail "one process to three"
echo "all go on"
