# One task of tasks.tsv (a line: ADDRESS of a repository, a tab, what to do), by its index from 0: started, or gone on with where an
# earlier process ended. Its exit code is Strata's. RUNS: the folder of all runs; MAX_COST in US dollars, empty for none.
set -eu
line=$(sed -n "$((JOB_COMPLETION_INDEX + 1))p" "${TASKS:-/tasks}/tasks.tsv")
tab=$(printf '\t')
repository=${line%%"$tab"*}
prompt=${line#*"$tab"}
if [ -z "$line" ] || [ "$repository" = "$line" ]; then
  echo "tasks.tsv has no task in line $((JOB_COMPLETION_INDEX + 1)): ADDRESS, a tab, what to do" >&2
  exit 2
fi
runs=${RUNS:-/runs}
work=$runs/work/$JOB_COMPLETION_INDEX
if [ ! -d "$work" ]; then
  # Whole or not there: an earlier process may have ended in the middle.
  rm -rf "$work.new"
  mkdir -p "$runs/work"
  git clone -q -- "$repository" "$work.new" || exit 75
  mv "$work.new" "$work"
fi
cost=${MAX_COST-2}
exec strata run --workspace "$work" --out "$runs/results/$JOB_COMPLETION_INDEX" "--prompt=$prompt" \
  --trust --mode auto --max-minutes "${MAX_MINUTES:-60}" ${cost:+--max-cost "$cost"} </dev/null
