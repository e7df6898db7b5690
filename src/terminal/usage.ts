/** What `strata --help` prints. */

export const USAGE = `strata: a coding agent, in the terminal.

  strata run --prompt TEXT [options]   do a task, print the answer
  strata list [--size] [--json]        list the sessions of a workspace; --size: what each takes on disk
  strata show ID [--json]              print a session
  strata show ID --request N [--json]  print its request N as it was sent; -1: the last one
  strata verify ID [--json]            prove that all its requests are there as they were sent
  strata recall HANDLE --session ID    print an output of a session, whole; --lines A-B: a part of it
  strata recall --query WORDS --session ID
                                       find lines in a session's messages and outputs
  strata compact ID [WORDS]            summarise the older rounds of a session now; WORDS: what matters in them
  strata compact ID --preview          only say what that would do
  strata undo ID                       take the newest compaction back; strata redo ID: do it again
  strata export ID [FILE] [--force]    write a session into one file; -: to standard output
  strata import FILE                   make a session of this workspace of an export, print its id
  strata remove ID... [--yes]          delete sessions, for good

Options
  --workspace DIR     the folder to work in (default: this one)
  --session ID        go on with a session; --continue: with the newest one
  --model NAME        model, as the server knows it        (STRATA_MODEL_NAME)
  --base-url URL      an OpenAI-compatible server           (STRATA_MODEL_BASE_URL, OPENAI_BASE_URL)
  --mode MODE         plan | ask | edits | auto: what runs without asking (default: ask)
  --trust             trust the workspace: load its rules and settings, allow edits and commands
  --max-steps N       model calls in one turn before it stops and asks
  --storage DIR       where sessions are kept
  --json              one event a line; of a request or a proof: one object
  --force             write over a file that is there
  --yes               ask nothing before sessions are deleted

The key is read from OPENAI_API_KEY.
Exit codes: 0 done, 1 error of model or agent, 2 usage, 3 an approval that nobody could give, 130 stopped.
`;
