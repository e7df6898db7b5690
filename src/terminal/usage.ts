/** What `strata --help` prints. */
import { eitherOf } from "../shared/format";
import { t } from "../shared/l10n";
import { keyVariableNames, localServers, namedProviders } from "../shared/modelProviders";

/** By what is typed: what it does. */
type UsageRows = Readonly<Record<string, string>>;

export function usage(): string {
  return `${t("strata: a coding agent, in the terminal.")}

${columns(commandRows(), 37)}

${t("Options")}
${columns(optionRows(), 20)}

${t("A log of each day lies in logs/ where sessions are kept; strata.log.payload (STRATA_LOG_PAYLOAD=true) puts requests and answers into it, whole. STRATA_TELEMETRY_OTLP_ENDPOINT sends spans to an OpenTelemetry collector.")}
${t("The key is read from {0}, as the provider goes.", eitherOf(keyVariableNames))}
${t("Exit codes: 0 done, 1 error of model or agent, 2 usage, 3 an approval or an answer is needed, 4 denied (permit), 5 a limit, 75 try later, 130 stopped (docs/runs.md).")}
${t("When something goes wrong: docs/guide/trouble.md, beside dist.")}
`;
}

const commandRows = (): UsageRows => ({
  "strata run --prompt TEXT [options]": t(
    "do a task, print the answer; --prompt -: it comes by standard input; what is piped beside a prompt goes along with it",
  ),
  "strata run --mode plan --prompt TEXT": t("only read, and end with a plan; strata plan ID: print it"),
  "strata run --session ID --carry-out": t("carry a session's plan out; --plan FILE: as a file has it, in any session"),
  "strata run --out DIR --prompt TEXT": t(
    "do a task and leave its results in a folder; the same again goes on with it (docs/runs.md)",
  ),
  "strata run --session ID --allow-call ID": t(
    "allow a call that a run with --json waits with; --deny-call ID [TEXT], --answer ID TEXT; --for-session: all like it",
  ),
  "strata serve --telegram [--trust]": t(
    "be reached by a Telegram bot: its token is STRATA_TELEGRAM_TOKEN, chats are paired by a code; --telegram-api URL: another Bot API server",
  ),
  "strata list [--size] [--json]": t("list the sessions of a workspace; --size: what each takes on disk"),
  "strata models [WORDS] [--json]": t("list the models that can be asked: what each reads, costs and can"),
  "strata show ID [--json]": t("print a session"),
  "strata show ID --request N [--json]": t("print its request N as it was sent; -1: the last one"),
  "strata show ID --permissions [--json]": t(
    "print what was asked and decided about its calls, by whom and for which bytes",
  ),
  "strata show ID --cost [--json]": t("print what it cost, by model, with today's total and the limits"),
  "strata report DIR... [--markdown]": t("list what runs with --out left; exit code 1 where one cannot be read"),
  "strata explain ID [--turn N]": t(
    "say what a turn did and why, from the log: words, calls, decisions, what was folded or compacted, cost of each step",
  ),
  "strata explain ID --rule WORDS [--turn N | --call ID | --request N]": t(
    'say whether these words were in view of the model, where, or since when not and why; --rule "": list what was',
  ),
  "strata verify ID | FILE [--json]": t("prove that all its requests are there as they were sent; FILE: an export"),
  "strata verify ID --facts [--json]": t("list what you said, and what of it stands in the newest request"),
  "strata proof ID [FILE] [--out DIR | --patch FILE] [--base COMMIT] [--with-text] [--force]": t(
    "write what proves its change into one small file: which commands ran after the last edit, what you decided",
  ),
  "strata proof check FILE [--patch FILE] [--log EXPORT] [--json]": t(
    "say what of it holds for the last commit, the files here or a patch; exit code 1: something does not",
  ),
  "strata recall HANDLE --session ID": t("print an output of a session, whole; --lines A-B: a part of it"),
  "strata recall --query WORDS --session ID": t("find lines in a session's messages and outputs"),
  "strata compact ID [WORDS]": t("summarise the older turns of a session now; WORDS: what matters in them"),
  "strata compact ID --preview": t("only say what that would do"),
  "strata compact ID undo": t("take the newest compaction back; strata compact ID redo: do it again"),
  "strata undo ID": t("put the files of the newest turn back, as before it; strata redo ID: undo that"),
  "strata rewind ID --to TURN": t("back to before a turn: files and conversation, or --files, --conversation"),
  "strata rewind ID --to TURN --preview": t(
    "only say what that would do; strata rewind ID --undo: take the newest one back",
  ),
  "strata export ID [FILE] [--force]": t("write a session into one file; -: to standard output"),
  "strata export ID [FILE] --atif": t("write it as a trajectory of ATIF 1.7, for benchmarks and viewers"),
  "strata import FILE": t("make a session of this workspace of an export, print its id"),
  "strata remove ID... [--yes]": t("delete sessions, for good"),
  "strata permit [--mode M] [--allow RULE]... [--json] -- COMMAND": t(
    "say whether a command would run, ask or be refused, and why",
  ),
  "strata permit [--json]": t("list what is in force and from where: mode, rules, sandbox"),
  "strata skills [list | check] [--json]": t("list skills, prompts and agents; check: for CI"),
  "strata hooks [list | check] [--trust] [--json]": t("list the hooks; check: exit code 1 where one is broken"),
  "strata mcp list [--trust] [--json]": t("list the MCP servers that are configured; --trust: this workspace's too"),
  "strata mcp check NAME-OR-ADDRESS [--call TOOL JSON]": t("start one and list what it has; --call: call a tool of it"),
  "strata mcp login | logout | logs NAME": t("sign in to one through the browser, forget it, or print its last errors"),
});

const optionRows = (): UsageRows => ({
  "--workspace DIR": t("the folder to work in (default: this one)"),
  "--session ID": t("go on with a session; --continue: with the newest one"),
  "--model NAME": t(
    "model, as the server knows it, or with whose it is: {0}:NAME, {1}:NAME (STRATA_MODEL_NAME)",
    namedProviders[0] ?? "",
    Object.keys(localServers)[0] ?? "",
  ),
  "--provider NAME": t(
    "{0} (STRATA_MODEL_PROVIDER); auto goes by the model's name and the address",
    eitherOf(["auto", "server", ...namedProviders]),
  ),
  "--base-url URL": t("the server, where it is not the provider's own (STRATA_MODEL_BASE_URL, OPENAI_BASE_URL)"),
  "--mode MODE": t("plan | ask | edits | auto: what runs without asking (default: ask)"),
  "--allow RULE": t("what runs without asking, as Bash(npm test *); --ask, --deny: what asks, what never runs"),
  "--trust": t("trust the workspace: load its rules and settings, start its MCP servers, allow edits and commands"),
  "--max-cost USD, …": t("bounds of the run in all: --max-tokens N, --max-minutes N of work (docs/runs.md)"),
  "--max-steps N": t("model calls in one turn before it stops and asks"),
  "--storage DIR": t("where sessions are kept"),
  "--json": t(
    "one event a line; of a request or a proof: one object. Where the agent asks something (a record of kind question), the run ends with exit code 3: run --session ID --prompt ANSWER goes on from there",
  ),
  "--force": t("write over a file that is there"),
  "--yes": t("ask nothing before sessions are deleted"),
});

/** The terminal breaks long lines. */
const columns = (rows: UsageRows, width: number): string =>
  Object.entries(rows)
    .map(([typed, does]) =>
      typed.length < width ? `  ${typed.padEnd(width)}${does}` : `  ${typed}\n${" ".repeat(width + 2)}${does}`,
    )
    .join("\n");
