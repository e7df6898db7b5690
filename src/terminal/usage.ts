/** What `strata --help` prints. */
import { eitherOf, keyVariableNames, localServers, namedProviders } from "../shared/modelProviders";
export const USAGE = `strata: a coding agent, in the terminal.

  strata run --prompt TEXT [options]   do a task, print the answer; --prompt -: it comes by standard input
  strata run --mode plan --prompt TEXT only read, and end with a plan; strata plan ID: print it
  strata run --session ID --carry-out  carry a session's plan out; --plan FILE: as a file has it, in any session
  strata list [--size] [--json]        list the sessions of a workspace; --size: what each takes on disk
  strata models [WORDS] [--json]       list the models that can be asked: what each reads, costs and can
  strata show ID [--json]              print a session
  strata show ID --request N [--json]  print its request N as it was sent; -1: the last one
  strata show ID --permissions [--json]
                                       print what was asked and decided about its calls, by whom and for which bytes
  strata show ID --cost [--json]       print what it cost, by model, with today's total and the limits
  strata explain ID [--turn N]         say what a turn did and why, from the log: words, calls, decisions, what was folded or compacted, cost of each step
  strata verify ID [--json]            prove that all its requests are there as they were sent
  strata verify ID --facts [--json]    list what you said, and what of it stands in the newest request
  strata recall HANDLE --session ID    print an output of a session, whole; --lines A-B: a part of it
  strata recall --query WORDS --session ID
                                       find lines in a session's messages and outputs
  strata permit [--mode M] [--allow RULE]... [--json] -- COMMAND
                                       say whether a command would run, ask or be refused, and why
  strata permit [--json]               list what is in force and from where: mode, rules, sandbox
  strata skills [list | check] [--json]
                                       list skills and prompts that can be called as /name; check: exit code 1 where one is broken
  strata compact ID [WORDS]            summarise the older turns of a session now; WORDS: what matters in them
  strata compact ID --preview          only say what that would do
  strata undo ID                       take the newest compaction back; strata redo ID: do it again
  strata rewind ID --to TURN           back to before a turn: files and conversation, or --files, --conversation
  strata rewind ID --to TURN --preview only say what that would do; strata rewind ID --undo: take the newest one back
  strata export ID [FILE] [--force]    write a session into one file; -: to standard output
  strata import FILE                   make a session of this workspace of an export, print its id
  strata hooks [list | check [EVENT [TOOL]]] [--trust] [--json]
                                       list the hooks; check: exit code 1 where one is broken; with EVENT: which run then;
                                       --call JSON: run them with this input, to see what they say
  strata mcp list [--trust] [--json]   list the MCP servers that are configured; --trust: this workspace's too
  strata mcp check NAME-OR-ADDRESS [--call TOOL JSON [--answer JSON]]
                                       start one and list what it has; --call: call a tool of it; --answer: what is put into
                                       the form that it asks to be filled in, beside its own defaults
  strata mcp login NAME-OR-ADDRESS     sign in to one through the browser; strata mcp logout NAME: forget it
  strata mcp logs NAME                 print the last of what a server wrote to its error stream
  strata mcp serve [--session ID]      offer Read, Grep and Glob of the workspace to another agent, over standard streams; with
                                       --session: Recall of that session too. Nothing is written, and what would ask is refused
  strata remove ID... [--yes]          delete sessions, for good

Options
  --workspace DIR     the folder to work in (default: this one)
  --session ID        go on with a session; --continue: with the newest one
  --model NAME        model, as the server knows it, or with whose it is: ${namedProviders[0]}:NAME, ${Object.keys(localServers)[0]}:NAME
                                                           (STRATA_MODEL_NAME)
  --provider NAME     ${eitherOf(["auto", "server", ...namedProviders])} (STRATA_MODEL_PROVIDER); auto goes by the model's name
                      and the address
  --base-url URL      the server, where it is not the provider's own (STRATA_MODEL_BASE_URL, OPENAI_BASE_URL)
  --mode MODE         plan | ask | edits | auto: what runs without asking (default: ask)
  --allow RULE        what runs without asking, as Bash(npm test *); --ask, --deny: what asks, what never runs
  --trust             trust the workspace: load its rules and settings, start its MCP servers, allow edits and commands
  --max-steps N       model calls in one turn before it stops and asks
  --storage DIR       where sessions are kept
  --json              one event a line; of a request or a proof: one object. Where the agent asks something (a record of kind
                      question), the run ends with exit code 3: run --session ID --prompt ANSWER goes on from there
  --force             write over a file that is there
  --yes               ask nothing before sessions are deleted

A log of each day lies in logs/ where sessions are kept; strata.log.payload (STRATA_LOG_PAYLOAD=true) puts requests and answers
into it, whole. STRATA_TELEMETRY_OTLP_ENDPOINT sends spans to an OpenTelemetry collector.
The key is read from ${eitherOf(keyVariableNames)}, as the provider goes.
Exit codes: 0 done, 1 error of model or agent, 2 usage, 3 an approval or an answer that nobody could give, 4 denied (permit), 130 stopped.
When something goes wrong: docs/guide/trouble.md, beside dist.
`;
