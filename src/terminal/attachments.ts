/** What messages can attach without an editor: what Git says of the workspace. */
import { type Attachments, NO_SANDBOX, type NothingToAttach, type RepositoryChanges, type Shell } from "../core/ports";

interface TerminalAttachmentsDeps {
  shell: Pick<Shell, "run">;
  /** absolute */
  folder: string;
  trusted(): boolean;
}

export function terminalAttachments(deps: TerminalAttachmentsDeps): Attachments {
  const editorOnly = (what: string) => async () => ({
    nothing: `${what} can be attached in the editor only: this is Strata in a terminal.`,
  });
  return {
    problems: editorOnly("Problems"),
    selection: editorOnly("A selection"),
    terminal: editorOnly("A terminal's output"),
    changes: signal => gitChanges(deps, signal),
  };
}

const LIMIT_MS = 15_000;
/** bytes of one command's output */
const MAX_OUTPUT_BYTES = 4_000_000;

/** Nothing that a repository or its settings bring along runs, and the format is the one that is read. */
const GIT = "git --no-optional-locks -c core.fsmonitor=false -c core.quotePath=false";
const DIFF = `${GIT} diff --no-color --no-ext-diff --no-textconv --src-prefix=a/ --dst-prefix=b/`;

async function gitChanges(
  { shell, folder, trusted }: TerminalAttachmentsDeps,
  signal: AbortSignal,
): Promise<readonly RepositoryChanges[] | NothingToAttach> {
  if (!trusted()) return { nothing: "This workspace is not trusted, so Git is not run in it (--trust lets it run)." };
  const git = (command: string, cwd: string) => run(shell, command, cwd, signal);
  const top = await git(`${GIT} rev-parse --show-toplevel`, folder);
  if (top.ended !== "exited") return { nothing: "Git did not answer in time." };
  if (top.exitCode === 127) return { nothing: "Git is not installed." };
  const root = top.text.trim();
  if (top.exitCode !== 0 || root === "") return { nothing: "The workspace is in no Git repository." };
  const [staged, unstaged, untracked, branch] = await Promise.all([
    git(`${DIFF} --cached`, root),
    git(DIFF, root),
    git(`${GIT} ls-files --others --exclude-standard -z`, root),
    git(`${GIT} branch --show-current`, root),
  ]);
  const failed = [staged, unstaged, untracked].find(({ exitCode }) => exitCode !== 0);
  if (failed) throw new Error(`git ended with ${failed.exitCode}: ${failed.errors.slice(0, 500)}`);
  const name = branch.text.trim();
  return [
    {
      root,
      ...(name ? { branch: name } : {}),
      ...{ staged: staged.text, unstaged: unstaged.text },
      ...(staged.cut || unstaged.cut ? { cut: true as const } : {}),
      untracked: untracked.text.split("\0").filter(path => path !== ""),
    },
  ];
}

async function run(shell: Pick<Shell, "run">, command: string, cwd: string, signal: AbortSignal) {
  const output = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  const found = { stdout: "", stderr: "" };
  let left = MAX_OUTPUT_BYTES;
  let cut = false;
  const { exitCode, ended } = await shell.run({
    ...{ command, cwd, signal, timeoutMs: LIMIT_MS, sandbox: NO_SANDBOX },
    onOutput(stream, chunk) {
      const part = chunk.subarray(0, left);
      cut ||= part.length < chunk.length;
      left -= part.length;
      found[stream] += output[stream].decode(part, { stream: true });
    },
  });
  signal.throwIfAborted();
  return { exitCode, ended, text: found.stdout, errors: found.stderr, cut };
}
