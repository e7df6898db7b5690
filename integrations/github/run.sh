# Runs Strata for action.yml. What the agent and its commands print goes into files: in the log, a line could be a command to GitHub.
set -euo pipefail
# What an allow rule lets run has no right to the key of its parent: it runs in the sandbox, or not at all.
export STRATA_BASH_SANDBOX=${STRATA_BASH_SANDBOX:-required}
strata() { node "$GITHUB_ACTION_PATH/dist/cli.js" "$@"; }
case $KEY_VARIABLE in
  *[!A-Z0-9_]* | "" | PATH | NODE_OPTIONS | GITHUB_* | RUNNER_* | LD_* | BASH_*)
    echo "api-key-variable is not the name of a key's variable" >&2
    exit 2
    ;;
esac
folder=$(mktemp -d "$RUNNER_TEMP/strata-XXXXXX")
out=$folder/results
options=(--workspace "$WORKSPACE" --out "$out" "--prompt=$PROMPT" --model "$MODEL" --mode "$MODE")
options+=(--max-cost "$MAX_COST" --max-minutes "$MAX_MINUTES")
[ -z "$BASE_URL" ] || options+=(--base-url "$BASE_URL")
[ "$TRUST" != true ] || options+=(--trust)
while IFS= read -r rule; do
  [ -z "$rule" ] || options+=("--allow=$rule")
done <<<"$ALLOW"
code=0
(
  export "$KEY_VARIABLE=$KEY"
  # By these files and tokens a command of the agent could change later steps, or act as this workflow.
  unset KEY PROMPT GITHUB_ENV GITHUB_PATH GITHUB_OUTPUT GITHUB_STATE GITHUB_STEP_SUMMARY GITHUB_TOKEN GH_TOKEN
  unset ACTIONS_RUNTIME_TOKEN ACTIONS_RUNTIME_URL ACTIONS_RESULTS_URL ACTIONS_CACHE_URL
  unset ACTIONS_ID_TOKEN_REQUEST_TOKEN ACTIONS_ID_TOKEN_REQUEST_URL
  strata run "${options[@]}" </dev/null >"$folder/stdout.txt" 2>"$folder/stderr.txt"
) || code=$?
{
  echo "exit-code=$code"
  echo "result=$out/result.json"
  echo "patch=$out/change.patch"
  echo "folder=$out"
} >>"$GITHUB_OUTPUT"
strata report --markdown "$out" >>"$GITHUB_STEP_SUMMARY" || true
echo "Strata ended with exit code $code. Results: $out; what it printed: $folder"
exit "$code"
