/** Attack 13: a session that somebody else made must not say where commands run here. */
import assert from "node:assert/strict";
import { openSession } from "../../src/core/session/openSession";
import { foreignLog } from "../../src/core/transfer/importSession";
import { start } from "../fakes/agent";
import { exported, importInto } from "../fakes/bundle";
import { MemoryStorage } from "../fakes/storage";

const bash = (command: string) => ({ name: "Bash", input: { command } });

/** Where the next command of an imported session runs, of which these were the folders elsewhere. */
async function folderAfter(...folders: string[]): Promise<string> {
  const shell = Object.fromEntries(folders.map((cwd, at) => [`go ${at}`, { cwd, output: [["stdout", "ok\n"]] }]));
  const agent = await start({ mode: "auto", shell: { ...shell, "*": { output: [] } } as never });
  agent.models.play(...folders.map((_, at) => ({ calls: [bash(`go ${at}`)] })), { text: "ok" });
  await agent.session.submit("go");
  await agent.session.idle();
  const { text } = await exported({ ports: agent.ports, id: agent.session.id });
  const storage = new MemoryStorage();
  const { id } = await importInto(storage, text);
  const session = await openSession({ ...agent.ports, storage }, id);
  agent.models.play({ calls: [bash("here")] }, { text: "ok" });
  await session.setMode("auto");
  await session.submit("go on");
  await session.idle();
  return agent.shell.runs.at(-1)?.cwd ?? "";
}

describe("attack 13: the folder of an imported session's commands", () => {
  for (const [what, folders, expected] of [
    ["stays, where it is in the workspace", ["/ws/app/src"], "/ws/app/src"],
    ["is the workspace's, not one outside", ["/home/person/.ssh"], "/ws/app"],
    ["is the last one in the workspace", ["/ws/app/src", "/etc"], "/ws/app/src"],
    ["is none that only looks like one", ["/ws/app/../../etc"], "/ws/app"],
    ["is none of a neighbour", ["/ws/app2"], "/ws/app"],
  ] as const)
    it(what, async () => assert.equal(await folderAfter(...folders), expected));

  it("goes from what a compaction keeps, too", () => {
    const line = (cwd: string) => `${JSON.stringify({ kind: "compaction", snapshot: { cwd, grants: [] } })}\n`;
    assert.equal(foreignLog("s", line("/etc"), ["/ws/app"]).log, '{"kind":"compaction","snapshot":{"grants":[]}}\n');
    assert.equal(foreignLog("s", line("/ws/app/a"), ["/ws/app"]).log, line("/ws/app/a"));
  });
});
