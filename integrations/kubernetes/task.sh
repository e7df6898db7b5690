# One task of tasks.tsv, by the pod's index: started, or gone on with where an earlier pod ended.
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
  # Whole or not there: an earlier pod may have ended in the middle.
  rm -rf "$work.new"
  mkdir -p "$runs/work"
  git clone -q -- "$repository" "$work.new" || exit 75
  mv "$work.new" "$work"
fi
exec strata run --workspace "$work" --out "$runs/results/$JOB_COMPLETION_INDEX" "--prompt=$prompt" \
  --trust --mode auto --max-cost "${MAX_COST:-2}" --max-minutes "${MAX_MINUTES:-60}" </dev/null
