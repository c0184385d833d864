#!/bin/bash
# A kill of one process ends all, with a message, and the last state that was saved stands.
# usage: kill_one.sh DRYSTONE FOLDER MPIEXEC FLAG
drystone=$1 folder=$2
shift 2
state=$folder/killed.state
rm -f "$state"
"$@" 3 "$drystone" run stack_10 --steps 1000000 --save "$state" --save-every 5 --quiet \
  2>"$folder/killed.txt" &
launcher=$!
for _ in $(seq 600); do
  [ -s "$state" ] && break
  sleep 0.1
done
read -r first second rest <"/proc/$launcher/task/$launcher/children"
[ -n "$second" ] || { echo "no processes to kill: '$first' '$rest'"; exit 1; }
kill -KILL "$second"
wait $launcher
code=$?
cat "$folder/killed.txt"
[ $code -ne 0 ] || { echo "the launcher ended as if all were well"; exit 1; }
[ -s "$folder/killed.txt" ] || { echo "no message"; exit 1; }
# One process and two go on from the state.
"$drystone" run stack_10 --steps 5 --restore "$state" --strict --quiet || exit 1
"$@" 2 "$drystone" run stack_10 --steps 5 --restore "$state" --strict --quiet || exit 1
echo "all ended with code $code, and the state stands"
