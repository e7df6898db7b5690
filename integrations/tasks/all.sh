# All tasks of tasks.tsv on this machine, so many at a time: sh all.sh 8. TASKS: the folder of tasks.tsv; RUNS: the folder of all runs.
# What has an end is left alone. Exit code 75: some have none yet; run it again.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
count=$(grep -c '' "$TASKS/tasks.tsv")
export TASKS RUNS
open() {
  at=0
  while [ "$at" -lt "$count" ]; do
    grep -Eqs '^  "reason": "(done|limit|waits|denied|error)"' "$RUNS/results/$at/result.json" ||
      [ -e "$RUNS/results/$at/cannot-begin.txt" ] || echo "$at"
    at=$((at + 1))
  done
}
# xargs gives up where a command was killed: the shell between them ends by itself.
open | xargs -P "${1:-4}" -I{} sh -c 'JOB_COMPLETION_INDEX=$1 sh "$2/task.sh"; :' task {} "$here"
[ -z "$(open)" ] || exit 75
