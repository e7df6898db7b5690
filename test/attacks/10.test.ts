/** What a call is answered before it is allowed: nothing of a protected file, or of one outside the workspace. */
import assert from "node:assert/strict";
import { chmod, rm, writeFile } from "node:fs/promises";
import type { Json } from "../../src/shared/messages";
import { edit, last, read } from "../fakes/agent";
import { startOnDisk } from "../fakes/onDisk";

type Agent = Awaited<ReturnType<typeof startOnDisk>>;
type Call = { name: string; input: Json };

/** What reads and is not there. */
const ABSENT = /^Read|not there$/;
const SECRET_NAMES = /customers|merger|deep/;
const FILES = {
  "app/a.ts": "one\n",
  "app/.env": "PLACE=Vienna\nCOLOUR=blue\n",
  "outside/.env": "PLACE=Rome\n",
  "outside/customers.txt": "merger with ACME\n",
  "outside/deep/merger.txt": "merger\n",
};

/** What the model was answered. */
const result = ({ session }: Agent): string => {
  const { forms, error } = last(session, "result");
  return JSON.stringify([forms.shown, error]);
};

describe("attack 10: answers before somebody was asked", () => {
  let agent: Agent;
  afterEach(() => agent.dispose());

  async function play(...calls: Call[]) {
    agent.models.play(...calls.map(call => ({ calls: [call] })), { text: "ok" });
    await agent.session.submit("go");
  }
  const write = (file_path: string) => ({ name: "Write", input: { file_path, content: "x\n" } });
  const multiEdit = (file_path: string) => ({
    name: "MultiEdit",
    input: { file_path, edits: [{ old_string: "a", new_string: "b" }] },
  });
  const calls: Record<string, (outside: (name: string) => string) => Call> = {
    "Read, a name that resembles one": at => read(at("customer.txt")),
    "Edit, a name that resembles one": at => edit(at("customer.txt"), "a", "b"),
    "Edit of a file that is there": at => edit(at("customers.txt"), "a", "b"),
    "MultiEdit, a name that resembles one": at => multiEdit(at("customer.txt")),
    "Write of a file that is there": at => write(at("customers.txt")),
    "Write of one that is not": at => write(at("customer.txt")),
    "Write below a file": at => write(at("customers.txt/x")),
    "LS of a folder that is not there": at => ({ name: "LS", input: { path: at("dep") } }),
    "Glob in a folder that is not there": at => ({ name: "Glob", input: { path: at("dep"), pattern: "**" } }),
    "Grep in a folder that is not there": at => ({ name: "Grep", input: { path: at("dep"), pattern: "merger" } }),
    "Grep in a folder": at => ({ name: "Grep", input: { path: at(""), pattern: "merger" } }),
  };
  for (const [what, call] of Object.entries(calls))
    it(`says nothing of what lies outside: ${what}`, async () => {
      // As on the command line with nobody there: every question is answered no.
      agent = await startOnDisk({ mode: "auto", answers: "never", files: FILES });
      await play(call(name => agent.at(`outside/${name}`)));
      await agent.session.idle();
      const said = result(agent);
      assert.doesNotMatch(said.replaceAll(/customers?\.txt/g, ""), SECRET_NAMES);
      assert.doesNotMatch(said, /resembles|Nearest/);
      // Who reads hears that nothing is there, and no name beside it; who changes not even that.
      if (ABSENT.test(what)) return assert.match(said, /NOT_FOUND/);
      assert.match(said, /DENIED|NOT_READ/);
      assert.doesNotMatch(said, /NOT_FOUND|does not exist/);
    });

  it("says the same of what is there and what is not to who would change it, and of what secrets are called", async () => {
    agent = await startOnDisk({ mode: "auto", answers: "never", files: FILES });
    const said = [];
    const named = ["outside/customers.txt", "outside/nobody.txt", "outside/customers.txt/below"];
    for (const [call, names] of [
      [edit, named],
      [(path: string) => write(path), named],
      [(path: string) => read(path), ["outside/.env", "outside/deep/.env", "app/.env", "app/none/.env"]],
    ] as const) {
      for (const name of names) {
        await play(call(agent.at(name), "a", "b"));
        await agent.session.idle();
        said.push(result(agent).replaceAll(agent.at(name), "PATH"));
      }
      assert.equal(new Set(said.splice(0)).size, 1, call.name);
    }
  });

  it("asks before it says why an edit failed, and says it then", async () => {
    agent = await startOnDisk({ mode: "edits", files: FILES });
    await play(read(".env"), edit(".env", "PLACE=Vienna", "PLACE=Rome"));
    await agent.answer("allow");
    // The edit is asked about; meanwhile its lines change.
    const { action } = await agent.asked();
    assert.equal(action.toolName, "Edit");
    await writeFile(agent.at("app/.env"), "PLACE=Paris\nCOLOUR=green\n");
    await agent.answer("allow");
    const again = await agent.asked();
    assert.equal(again.action.toolName, "Read");
    assert.match(again.action.reason ?? "", /secrets.*Edit failed, and the error contains text of the file/);
    assert.doesNotMatch(JSON.stringify(again), /Paris|green/);
    await agent.answer("allow");
    await agent.session.idle();
    assert.match(result(agent), /CONFLICT.*/);
    assert.match(result(agent), /Paris/);
  });

  it("says nothing of it where the answer is no", async () => {
    agent = await startOnDisk({ mode: "edits", files: FILES });
    await play(read(".env"));
    await agent.answer("allow");
    await agent.session.idle();
    await writeFile(agent.at("app/.env"), "PLACE=Paris\nCOLOUR=green\n");
    await play(edit(".env", "PLACE=Vienna", "PLACE=Rome"));
    await agent.answer("deny");
    await agent.session.idle();
    assert.match(result(agent), /DENIED/);
    assert.doesNotMatch(result(agent), /Paris|green/);
  });

  it("asks nothing where the model has seen all of it: what it quoted wrongly is told at once", async () => {
    agent = await startOnDisk({ mode: "edits", files: FILES });
    await play(read(".env"), edit(".env", "PLACE=Viena", "PLACE=Rome"));
    await agent.answer("allow");
    await agent.session.idle();
    assert.match(result(agent), /NO_MATCH/);
    assert.match(result(agent), /Vienna/);
  });

  it("asks nothing in a mode that forbids the edit, and says nothing", async () => {
    agent = await startOnDisk({ mode: "plan", files: FILES });
    await play(read(".env"));
    await agent.answer("allow");
    await agent.session.idle();
    await writeFile(agent.at("app/.env"), "PLACE=Paris\n");
    await play(edit(".env", "PLACE=Vienna", "PLACE=Rome"));
    await agent.session.idle();
    assert.match(result(agent), /DENIED.*plan mode/);
    assert.doesNotMatch(result(agent), /Paris/);
  });

  it("names nothing that is protected for another reason beside what was allowed", async () => {
    agent = await startOnDisk({
      mode: "edits",
      files: { ...FILES, "outside/server.pem": "x", "outside/server.tx": "x" },
    });
    await play(read(agent.at("outside/server.txt")));
    await agent.session.idle();
    assert.doesNotMatch(result(agent), /server\.(?:tx\b|pem)/, "nobody was asked");
    await writeFile(agent.at("outside/server.txt"), "x");
    await play(read(agent.at("outside/server.txt")));
    await agent.answer("allow", "session");
    await agent.session.idle();
    await rm(agent.at("outside/server.txt"));
    await play(read(agent.at("outside/server.txt")));
    await agent.session.idle();
    assert.match(result(agent), /server\.tx\b/);
    assert.doesNotMatch(result(agent), /server\.pem/);
  });

  it("is as quick as ever inside the workspace", async () => {
    agent = await startOnDisk({ mode: "edits", files: FILES });
    await play(read("b.ts"), edit("a.ts", "two", "three"));
    await agent.session.idle();
    assert.equal(last(agent.session, "approval"), undefined);
    assert.match(result(agent), /NOT_READ/);
  });

  it("does not tell what an unreadable folder outside has from what it has not", async function () {
    if (process.platform === "win32" || process.getuid?.() === 0) return this.skip();
    agent = await startOnDisk({ mode: "auto", answers: "never", files: FILES });
    await chmod(agent.at("outside/deep"), 0);
    const said = [];
    for (const name of ["outside/deep/merger.txt", "outside/deep/other.txt"]) {
      await play(read(agent.at(name)));
      await agent.session.idle();
      said.push(result(agent).replaceAll(agent.at(name), "PATH"));
    }
    await chmod(agent.at("outside/deep"), 0o700);
    assert.equal(said[0], said[1]);
  });
});
