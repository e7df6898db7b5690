/** A workspace on disk with hooks, a person beside it, and what runs there. */
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { NO_SANDBOX } from "../../src/core/ground/ports/shell";
import { lookAtHooks } from "../../src/core/guidance/hooks/report";
import { SessionHooks } from "../../src/core/guidance/hooks/sessionHooks";
import { NodeFiles } from "../../src/node/files";
import { NodeHooks } from "../../src/node/hooks";
import { NodeShell } from "../../src/node/shell/shell";
import { nodeClock, nodeHash } from "../../src/node/system";
import { asItIs } from "../fakes/redact";
import { putFile, temporaryFolder } from "../fakes/temporary";

const never = new AbortController().signal;
const logger = { log: () => undefined };

export class HookWorkspace {
  readonly folder = temporaryFolder("hooks");
  readonly notes: string[] = [];
  trusted = true;

  constructor() {
    mkdirSync(join(this.folder, "ws"));
  }

  write(path: string, content: unknown, mode = 0o644): void {
    const place = join(this.folder, path);
    putFile(place, typeof content === "string" ? content : JSON.stringify(content));
    chmodSync(place, mode);
  }

  open(guard?: (scripts: readonly string[]) => void, home = "home"): NodeHooks {
    const { folder } = this;
    return new NodeHooks({
      ...(guard && { sandbox: { guard: (_, scripts) => guard(scripts), aroundOthers: async () => NO_SANDBOX } }),
      ...{ roots: () => new NodeFiles([join(folder, "ws")]).roots, logger, trusted: () => this.trusted },
      ...{ configDir: join(folder, "config"), home: join(folder, home) },
    });
  }

  /** What ran, by what it said. @param start where the session stands */
  async ran(event: "Stop" | "PreToolUse", hooks = this.open(), { start = "ws", env = process.env } = {}) {
    const shell = new NodeShell({ env, roots: () => [join(this.folder, "ws")] });
    const session = new SessionHooks({
      ...{ hooks, shell, clock: nodeClock, hash: nodeHash, logger, sessionId: "s", transcript: "/s/history.jsonl" },
      ...{ folder: () => join(this.folder, start), mode: () => "ask", redact: asItIs },
      synced: async () => undefined,
      note: async (_, text) => void this.notes.push(text),
    });
    const call = { names: ["Bash"], fields: { tool_name: "Bash", tool_input: { command: "ls" } } };
    const { runs } = await session.fire(event, event === "Stop" ? { fields: {} } : call, never);
    return runs.map(({ text = "" }) => text);
  }

  async agree(hooks = this.open()): Promise<void> {
    for (const { key, path } of (await lookAtHooks(hooks, nodeHash)).files) if (key) await hooks.agree(key, path);
  }
}
