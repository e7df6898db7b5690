# One task of tasks.tsv (a line: ADDRESS of a repository, a tab, what to do), by its index from 0: started, or gone on with where an
# earlier process ended. Its exit code is Strata's. RUNS: the folder of all runs; MAX_COST in US dollars, empty for none.
set -eu
line=$(sed -n "$((JOB_COMPLETION_INDEX + 1))p" "${TASKS:-/tasks}/tasks.tsv")
tab=$(printf '\t')
repository=${line%%"$tab"*}
prompt=${line#*"$tab"}
runs=${RUNS:-/runs}
work=$runs/work/$JOB_COMPLETION_INDEX
results=$runs/results/$JOB_COMPLETION_INDEX
mkdir -p "$runs/work" "$results"
cannot() {
  echo "$1" | tee "$results/cannot-begin.txt" >&2
  exit 2
}
if [ -z "$line" ] || [ "$repository" = "$line" ]; then
  cannot "tasks.tsv has no task in line $((JOB_COMPLETION_INDEX + 1)): ADDRESS, a tab, what to do"
fi
if [ ! -d "$work" ]; then
  # Whole or not there: an earlier process may have ended in the middle, another may clone the same.
  own=$(mktemp -d "$work.XXXXXX")
  export GIT_TERMINAL_PROMPT=0
  if ! said=$(git clone -q -- "$repository" "$own/clone" 2>&1); then
    rm -rf "$own"
    case $said in
      *"not found"* | *"does not exist"* | *"not appear to be a git repository"* | *"could not read Username"* | *"Authentication failed"*) cannot "$said" ;;
    esac
    echo "$said" >&2
    exit 75
  fi
  [ -d "$work" ] || mv "$own/clone" "$work"
  rm -rf "$own"
fi
cost=${MAX_COST-2}
exec strata run --workspace "$work" --out "$results" "--prompt=$prompt" \
  --trust --mode auto --max-minutes "${MAX_MINUTES:-60}" ${cost:+--max-cost "$cost"} </dev/null
