// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are the shell's
/** A command beside the same text under `bash -c`: the same output, exit codes and line numbers. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { NO_SANDBOX } from "../../src/core/ground/ports/shell";
import { NodeShell } from "../../src/node/shell/shell";
import { temporaryFolder } from "../fakes/temporary";

/** Each text with what the kind of it is about. */
const TEXTS: Record<string, readonly string[]> = {
  "lines in messages": [
    "nosuch",
    "\n\n\nnosuch",
    "cat <<A <<B\na\nA\nb\nB\nnosuch",
    "cd /nosuch",
    "exec nosuch",
    "read x < /nosuch",
    `# ${"long ".repeat(20_000)}\nnosuch`,
  ],
  "texts that are no commands": ["if then", "echo 'a", "cat <<E\nx", "echo end \\", "echo end \\\n"],
  "what a shell says of itself": [
    "echo $LINENO\necho $LINENO",
    "echo $0 $# $@ $- $SHLVL $BASH_SUBSHELL",
    'echo "[${BASH_SOURCE[0]}]" "[$BASH_ENV]"',
    "env | cut -d= -f1 | sort",
    "echo x >&9",
    "echo x >&3",
    "exec 9>&1; echo x >&9",
  ],
  traps: [
    "trap 'echo err $LINENO' ERR; false\nfalse",
    "trap 'echo bye $?' EXIT; exit 3",
    "trap 'echo t' TERM; kill $$; echo after",
  ],
  "how it ends": [
    "exit",
    "exit 300",
    "return 3",
    "set -e\nfalse\necho no",
    "kill -PIPE $$; echo x",
    "exec 3>&-; echo a",
  ],
};

const bash = ["/bin/bash", "/usr/bin/bash"].find(existsSync);

if (bash !== undefined)
  describe("NodeShell beside `bash -c`", () => {
    const cwd = temporaryFolder("bash");
    let start: string;
    before(() => {
      start = join(cwd, "start file");
      writeFileSync(start, "fromStart() { echo started; }\n");
    });

    async function both(command: string, env: NodeJS.ProcessEnv) {
      const all: NodeJS.ProcessEnv = { PATH: process.env.PATH, HOME: cwd, LANG: "C.UTF-8", ...env };
      const chunks: Record<"stdout" | "stderr", Uint8Array[]> = { stdout: [], stderr: [] };
      const ran = await new NodeShell({ env: all, roots: () => [] }).run({
        ...{ command, cwd, sandbox: NO_SANDBOX, signal: new AbortController().signal },
        onOutput: (stream, chunk) => void chunks[stream].push(Buffer.from(chunk)),
      });
      const fixed = { TERM: "dumb", NO_COLOR: "1", PAGER: "cat", GIT_PAGER: "cat", MANPAGER: "cat" };
      const own = { ...all, ...fixed, GIT_TERMINAL_PROMPT: "0", GIT_EDITOR: "true", STRATA_COMMAND_ID: "" };
      // Its name is the one that a person would call it by.
      const real = spawnSync(bash ?? "", ["-c", command, "bash"], {
        ...{ cwd, env: own, stdio: ["ignore", "pipe", "pipe"] },
        maxBuffer: 10_000_000,
      });
      // Numbers of processes differ, and what a shell calls the text that it was given.
      const plain = (bytes: Uint8Array) =>
        Buffer.from(bytes)
          .toString("latin1")
          .replace(/\b\d{3,7}\b(?= Killed)/g, "N")
          .replaceAll("bash: -c:", "bash: eval:");
      const { stdout, stderr } = chunks;
      return {
        ours: [ran.exitCode, ran.signal, plain(Buffer.concat(stdout)), plain(Buffer.concat(stderr))],
        theirs: [real.status, real.signal, plain(real.stdout), plain(real.stderr)],
      };
    }

    for (const [kind, texts] of Object.entries(TEXTS))
      describe(kind, () => {
        for (const text of texts)
          it(JSON.stringify(text.slice(0, 80)), async () => {
            const { ours, theirs } = await both(text, {});
            assert.deepEqual(ours, theirs);
          });
      });

    it("a person's BASH_ENV is read as ever, and stays", async () => {
      for (const BASH_ENV of [start, "$HOME/start file", join(cwd, "not there")]) {
        const { ours, theirs } = await both('fromStart; echo "$BASH_ENV"; bash -c fromStart; echo $#', { BASH_ENV });
        assert.deepEqual(ours, theirs, BASH_ENV);
      }
    });
  });
