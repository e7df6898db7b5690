/** What the benchmark of hooks needs of the product. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lookAtHooks } from "../../src/core/guidance/hooks/report";
import { SessionHooks } from "../../src/core/guidance/hooks/sessionHooks";
import { NodeFiles } from "../../src/node/files";
import { NodeHooks } from "../../src/node/hooks";
import { NodeShell } from "../../src/node/shell/shell";
import { nodeClock, nodeHash } from "../../src/node/system";
import { asItIs } from "../../test/fakes/redact";

/** Five hooks of a workspace that were agreed to: each runs a script of 200 lines, which starts another one. */
export async function agreedHooks(folder: string): Promise<SessionHooks> {
  const project = join(folder, "project");
  mkdirSync(join(project, "tools"), { recursive: true });
  mkdirSync(join(project, ".claude"));
  const commands = [1, 2, 3, 4, 5].map(each => {
    const lines = Array.from({ length: 200 }, (_, at) => `# ${at}: see docs/${at}.md\n: words ./of/${each}/${at}\n`);
    writeFileSync(join(project, `tools/lib${each}.sh`), "true\n");
    writeFileSync(join(project, `tools/guard${each}.sh`), `exit 0\n. ./tools/lib${each}.sh\n${lines.join("")}`);
    return { type: "command", command: `bash tools/guard${each}.sh` };
  });
  const text = JSON.stringify({ hooks: { PreToolUse: [{ matcher: "Bash", hooks: commands }] } });
  writeFileSync(join(project, ".claude/settings.json"), text);
  const hooks = new NodeHooks({
    ...{
      roots: () => new NodeFiles([project]).roots,
      configDir: join(folder, "config"),
      home: join(folder, "none"),
    },
    ...{ trusted: () => true, logger },
  });
  for (const { key, path } of (await lookAtHooks(hooks, nodeHash)).files) if (key) await hooks.agree(key, path);
  return session(hooks, project);
}

/** @param folder a person's home, and the project's folder */
export function sessionHooks(commands: readonly string[], folder: string): SessionHooks {
  const home = join(folder, String(commands.length));
  mkdirSync(join(home, ".claude"), { recursive: true });
  const PreToolUse = [{ matcher: "Bash", hooks: commands.map(command => ({ type: "command", command })) }];
  if (commands.length > 0)
    writeFileSync(join(home, ".claude/settings.json"), JSON.stringify({ hooks: { PreToolUse } }));
  const hooks = new NodeHooks({ roots: () => [], configDir: join(home, "config"), home, trusted: () => true, logger });
  return session(hooks, folder);
}

const logger = { log: () => undefined };

function session(hooks: NodeHooks, folder: string): SessionHooks {
  return new SessionHooks({
    ...{ hooks, shell: new NodeShell(), clock: nodeClock, hash: nodeHash, logger, sessionId: "bench", transcript: "" },
    ...{
      folder: () => folder,
      mode: () => "ask",
      redact: asItIs,
      note: async () => undefined,
      synced: async () => undefined,
    },
  });
}
