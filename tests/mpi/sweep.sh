#!/bin/bash
# A sweep on several processes: the table is that of one, also after the kill of a process, and
# what is wrong on one process ends all with a message.
# usage: sweep.sh DRYSTONE FOLDER MPIEXEC FLAG
drystone=$1 folder=$2/sweep
shift 2
launcher=("$@")
fail() { echo "$1"; exit 1; }
rm -rf "$folder"
mkdir "$folder" && cd "$folder" || exit 1
cat >ball.json <<'SCENE'
{"version": 1, "world": {"duration": 0.1},
 "parameters": {"height": {"default": 2, "min": 1, "max": 100}},
 "bodies": [{"kind": "static", "shape": {"type": "plane"}},
            {"name": "ball", "shape": {"type": "sphere", "radius": 0.5}, "mass": 1,
             "position": [0, 0, "$height"]}]}
SCENE
study() {  # FILE STEPS RUNS
  echo '{"scene": "./ball.json", "steps": '"$2"', "figures": ["contacts_max", "hash"],
    "vary": {"scene.height": {"from": 1, "to": 2, "count": '"$3"'}}}' >"$1"
}
sweepOn() {  # PROCESSES OPTION...
  local count=$1
  shift
  "${launcher[@]}" "$count" "$drystone" sweep "$@"
}

# Short runs, of which a process gets many at once, and fewer runs than processes.
study short.json 5 300
study few.json 5 2
for name in short few; do
  "$drystone" sweep $name.json -o $name.csv --quiet || fail "no table"
  for count in 1 2 4; do
    sweepOn $count $name.json -o $count.csv >$count.txt 2>&1 || fail "$count: $(cat $count.txt)"
    cmp $name.csv $count.csv || fail "$name: $count processes have another table"
    [ "$(grep -c '^Study ' $count.txt)" = 1 ] || fail "the summary is not printed once"
    [ -e $count.csv.part ] && fail "runs were left behind"
  done
done
grep -q "on 4 processes with 1 thread each" 4.txt || fail "no word of the processes: $(cat 4.txt)"
sweepOn 2 short.json -o part.csv --part 2/3 --threads 2 --quiet || fail "no part"
[ "$(wc -l <part.csv)" = 101 ] || fail "the part is not a third"

# The kill of any process leaves rows that are not done again.
study long.json 10000 30
"$drystone" sweep long.json -o whole.csv --quiet || fail "no table"
for killed in 1 2; do
  rm -f table.csv table.csv.part
  "${launcher[@]}" 3 "$drystone" sweep long.json -o table.csv --quiet 2>killed.txt &
  pid=$!
  for _ in $(seq 3000); do
    [ -e table.csv.part ] && [ "$(wc -l <table.csv.part)" -ge 3 ] && break
    sleep 0.01
  done
  kill -KILL "$(cut -d ' ' -f $killed "/proc/$pid/task/$pid/children")"
  wait $pid && fail "the launcher ended as if all were well"
  [ -s killed.txt ] || fail "no message"
  [ -e table.csv ] && fail "a table of a part of the runs"
  # Rows with a mark, which a run that is done again would lose.
  sed -i 's/,done,/,done,7/' table.csv.part
  ended=$(grep -c 'done' table.csv.part)
  [ "$ended" -lt 30 ] || fail "all was done before the kill"
  sweepOn $((3 - killed)) long.json -o table.csv --resume >resumed.txt 2>&1 ||
    fail "no resume: $(cat resumed.txt)"
  [ "$(grep -c "$ended of 30 runs are done already" resumed.txt)" = 1 ] || fail "$(cat resumed.txt)"
  [ "$(grep -c ',done,7' table.csv)" = "$ended" ] || fail "runs were done twice"
  sed 's/,done,7/,done,/' table.csv | cmp - whole.csv || fail "another table after the kill"
  sweepOn 2 long.json -o table.csv --resume 2>again.txt || fail "complete, and yet wrong"
  grep -q "all runs are in" again.txt || fail "done again: $(cat again.txt)"
done

# What is wrong on all is said once, by the first; what is wrong on one, by that one.
sweepOn 2 missing.json -o wrong.csv 2>wrong.txt && fail "no study, and yet done"
[ "$(grep -c 'missing.json' wrong.txt)" = 1 ] || fail "not said once: $(cat wrong.txt)"
sweepOn 2 short.json -o 'no/folder.csv' 2>wrong.txt && fail "no folder, and yet done"
grep -q -e '--out' wrong.txt || fail "no reason: $(cat wrong.txt)"
"${launcher[@]}" 1 "$drystone" sweep short.json -o one.csv : "${launcher[-1]}" 1 "$drystone" \
  sweep missing.json -o one.csv 2>wrong.txt && fail "one process has no study"
grep -q "process 1 of 2: .*missing.json" wrong.txt || fail "no reason: $(cat wrong.txt)"
"${launcher[@]}" 1 "$drystone" sweep short.json -o one.csv --part 1/2 : "${launcher[-1]}" 1 \
  "$drystone" sweep short.json -o two.csv --part 2/2 2>wrong.txt && fail "parts were mixed"
grep -q "have different options" wrong.txt || fail "no reason: $(cat wrong.txt)"
echo "all tables agree"
