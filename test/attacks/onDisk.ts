/** A whole agent on a real folder: files, ripgrep, a shell and the search for secrets are those of the terminal. */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { AgentPorts } from "../../src/core/agent/session/openSession";
import { createSession } from "../../src/core/agent/session/openSession";
import { createRedactor } from "../../src/core/secrets/redact";
import { NodeEnvFiles } from "../../src/node/envFiles";
import { NodeFiles } from "../../src/node/files";
import { packagedRipgrep, RipgrepSearch } from "../../src/node/ripgrep";
import { NodeShell } from "../../src/node/shell/shell";
import type { AgentEvent } from "../../src/shared/events";
import type { Json } from "../../src/shared/messages";
import { everything, last, runTurn, world } from "../fakes/agent";
import { hash } from "../fakes/hash";
import { putFile, temporaryFolder } from "../fakes/temporary";

type Call = { name: string; input: Record<string, Json> };

export async function onDisk(contents: Record<string, string> = {}, more: Partial<AgentPorts> = {}) {
  const base = temporaryFolder("attack");
  const folder = join(base, "work");
  mkdirSync(folder);
  const put = (path: string, text: string) => putFile(join(folder, path), text);
  for (const [path, text] of Object.entries(contents)) put(path, text);
  const fakes = world({ mode: "auto" });
  const { logger } = fakes.ports;
  const files = new NodeFiles([folder]);
  const envFiles = new NodeEnvFiles({ roots: () => files.roots, logger });
  const shell = new NodeShell({ isSecret: () => false });
  const { unsaved: _, ...ports } = fakes.ports;
  const session = await createSession({
    ...ports,
    ...{ files, shell, search: new RipgrepSearch({ ripgrepPath: packagedRipgrep, roots: () => files.roots }) },
    redactor: createRedactor(text => hash.sha256(`key ${text}`), { envFiles }),
    ...more,
  });
  const events: AgentEvent[] = [];
  session.subscribe(event => events.push(event));
  return {
    ...{ folder, base, session, events, put, models: fakes.models },
    text: (path: string) => readFileSync(join(folder, path), "utf8"),
    /** Plays a turn with these calls, one a step. @returns what the model read of the last one */
    async play(...calls: Call[]): Promise<string> {
      fakes.models.play(...calls.map(call => ({ calls: [call] })), { text: "ok" });
      await runTurn(session, "go");
      return last(session, "result").forms.shown;
    },
    /** what the model and the log were given, and the panel: also what a command prints while it runs */
    told: ({ live } = { live: true }) =>
      JSON.stringify([fakes.models.requests, events.filter(({ type }) => live || type !== "output")]) +
      everything(fakes.disk),
    async close() {
      await session.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}
