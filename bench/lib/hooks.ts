/** What the benchmark of hooks needs of the product. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SessionHooks } from "../../src/core/hooks/sessionHooks";
import { NodeHooks } from "../../src/node/hooks";
import { NodeShell } from "../../src/node/shell/shell";
import { nodeClock, nodeHash } from "../../src/node/system";

/** @param folder a person's home, and the project's folder */
export function sessionHooks(commands: readonly string[], folder: string): SessionHooks {
  const home = join(folder, String(commands.length));
  mkdirSync(join(home, ".claude"), { recursive: true });
  const PreToolUse = [{ matcher: "Bash", hooks: commands.map(command => ({ type: "command", command })) }];
  if (commands.length > 0)
    writeFileSync(join(home, ".claude/settings.json"), JSON.stringify({ hooks: { PreToolUse } }));
  const logger = { log: () => undefined };
  const hooks = new NodeHooks({ roots: () => [], configDir: join(home, "config"), home, trusted: () => true, logger });
  return new SessionHooks({
    ...{ hooks, shell: new NodeShell(), clock: nodeClock, hash: nodeHash, logger, sessionId: "bench", transcript: "" },
    ...{ folder: () => folder, mode: () => "ask", redact: text => text, note: async () => undefined },
  });
}
