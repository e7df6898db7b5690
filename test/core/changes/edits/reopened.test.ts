/** What a session edited is known when it is opened again, however the file is encoded. */
import assert from "node:assert/strict";
import { openSession } from "../../../../src/core/agent/session/openSession";
import type { Session } from "../../../../src/core/agent/session/session";
import { edit, read, runTurn, start } from "../../../fakes/agent";
import { LINES, write } from "../timeline/edited";

const TEXT = `${LINES}café\n`;
const encodings: Record<string, (text: string) => Buffer> = {
  "UTF-8": text => Buffer.from(text),
  "UTF-8 with a BOM": text => Buffer.from(`\uFEFF${text}`),
  "UTF-16": text => Buffer.from(`\uFEFF${text}`, "utf16le"),
  "Latin-1": text => Buffer.from(text, "latin1"),
};

for (const [name, encode] of Object.entries(encodings)) {
  describe(`a file of a session that was opened again, ${name}`, () => {
    /** The text was read and then changed by `call`; then the session was opened again, and somebody changed line eight. */
    async function reopened(call: Parameters<Agent["models"]["play"]>[0], left: string) {
      const agent = await start({
        mode: "auto",
        shell: { "*": { does: () => agent.files.put("src/a.ts", encode(left)) } },
      });
      agent.files.put("src/a.ts", encode(TEXT));
      agent.models.play({ calls: [read("src/a.ts")] }, call, { text: "Done." });
      await runTurn(agent.session, "go");
      await agent.session.close();
      assert.deepEqual(Buffer.from(agent.files.bytesOnDisk("src/a.ts") ?? []), encode(left));
      agent.files.put("src/a.ts", encode(left.replace("eight", "acht")));
      return { agent, session: await openSession(agent.ports, agent.session.id) };
    }

    async function results({ models }: Agent, session: Session, call: Parameters<Agent["models"]["play"]>[0]) {
      models.play(call, { text: "Done." });
      await runTurn(session, "on");
      const result = session.history.records.findLast(record => record.kind === "result");
      return [result?.status, result?.error?.code];
    }

    it("that was edited is merged with what somebody changed since", async () => {
      const { agent, session } = await reopened(
        { calls: [edit("src/a.ts", "two", "TWO")] },
        TEXT.replace("two", "TWO"),
      );
      const call = { calls: [edit("src/a.ts", "TWO", "2")] };
      assert.deepEqual(await results(agent, session, call), ["success", undefined]);
      const wanted = TEXT.replace("two", "2").replace("eight", "acht");
      assert.deepEqual(Buffer.from(agent.files.bytesOnDisk("src/a.ts") ?? []), encode(wanted));
    });

    it("that a command changed is merged with what the model saw of it", async () => {
      const bash = { name: "Bash", input: { command: "make" } };
      const { agent, session } = await reopened({ calls: [bash] }, TEXT.replace("one", "ONE"));
      const call = { calls: [write("src/a.ts", TEXT.replace("four", "4"))] };
      assert.deepEqual(await results(agent, session, call), ["success", undefined]);
      const wanted = TEXT.replace("one", "ONE").replace("four", "4").replace("eight", "acht");
      assert.deepEqual(Buffer.from(agent.files.bytesOnDisk("src/a.ts") ?? []), encode(wanted));
    });
  });
}

type Agent = Awaited<ReturnType<typeof start>>;
