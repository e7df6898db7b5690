/** What sessions take on disk, and removing them. */
import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { sizeText } from "../../src/shared/format";
import { listSessions, removeSessions, sessionLine } from "../../src/terminal/sessions";
import { MemoryStorage } from "../fakes/storage";
import { printed } from "./printed";

const header = (id: string) =>
  `${JSON.stringify({ kind: "header", version: 1, sessionId: id, created: 1, archives: [] })}\n`;

/** Newest first: c, b, a. */
async function three(): Promise<MemoryStorage> {
  const storage = new MemoryStorage();
  for (const [at, id] of ["a", "b", "c"].entries()) {
    const files = await storage.create(id);
    await files.append("history.jsonl", header(id));
    await storage.writeMeta({ id, title: `task ${id}`, created: 1, updated: at * 60_000, turns: at + 1 });
    await files.close();
  }
  return storage;
}

describe("sizes on disk", () => {
  it("are said in powers of ten, as the setting counts", () => {
    const check = (bytes: number, text: string) => assert.equal(sizeText(bytes), text);
    check(999, "999 B");
    check(1540, "1.5 kB");
    check(999_600, "1 MB");
    check(5e15, "5000 TB");
  });

  it("are listed with --size, with their sum and a word where it is too much", async () => {
    const storage = await three();
    const plain = printed();
    await listSessions(storage, { json: false, size: false }, plain.streams, 0);
    assert.equal(plain.texts.err, "");
    assert.doesNotMatch(plain.texts.out, / B /);
    const sized = printed();
    await listSessions(storage, { json: false, size: true }, sized.streams, 1);
    assert.match(sized.texts.out, /^c {2}1970-01-01 00:02 {2}3 turns {2}\d+ B {2}task c\n(.*\n){2}\d+ B in all\n$/);
    assert.match(sized.texts.err, /^! The sessions .* Nothing is removed automatically\.\n$/);
    const json = printed();
    await listSessions(storage, { json: true, size: true }, json.streams, 0);
    const bytes = json.texts.out
      .trim()
      .split("\n")
      .map(line => JSON.parse(line).bytes);
    assert.deepEqual(bytes, [header("c").length, header("b").length, header("a").length]);
  });

  it("a line of the list bears whatever a session from elsewhere has in it", () => {
    const meta = { id: "a", title: "\u001b[31mred\u0007", created: 1, updated: 1e300, turns: 1 };
    assert.equal(sessionLine(meta), "a  1970-01-01 00:00  1 turn  ␛[31mred␇");
  });
});

describe("removing sessions", () => {
  const command = (yes: boolean, ...sessions: string[]) => ({
    ...{ kind: "remove" as const, workspace: ".", json: false, sessions, yes },
  });

  async function remove(storage: MemoryStorage, yes: boolean, sessions: string[], reply?: string) {
    const { texts, streams } = printed();
    const input = reply === undefined ? undefined : new PassThrough();
    const output = new PassThrough();
    input?.end(reply);
    const code = await removeSessions(command(yes, ...sessions), { storage, streams, input, output });
    const left = (await storage.list()).map(({ id }) => id);
    return { code, left, ...texts, asked: String(output.read() ?? "") };
  }

  it("asks once for all of them, and removes after a yes only", async () => {
    for (const no of ["n\n", "\n", "", "yess\n", "oh yes\n"]) {
      const { code, left, err, asked } = await remove(await three(), false, ["a", "b"], no);
      assert.deepEqual([code, left], [0, ["c", "b", "a"]]);
      assert.match(err, /a {2}1970.*task a\nb {2}.*task b\nNothing was removed\./);
      assert.match(asked, /Permanently delete these 2 sessions\?/);
    }
    for (const yes of ["y\n", " YES \n"]) {
      const { code, left, err } = await remove(await three(), false, ["a"], yes);
      assert.deepEqual([code, left], [0, ["c", "b"]]);
      assert.match(err, /Removed a\.\n$/);
    }
  });

  it("needs --yes where nobody is there", async () => {
    await assert.rejects(remove(await three(), false, ["a"]), { name: "UsageError", message: /--yes/ });
    assert.deepEqual((await remove(await three(), true, ["a", "c"])).left, ["b"]);
  });

  it("touches none where one of them is not there", async () => {
    const storage = await three();
    await assert.rejects(remove(storage, true, ["a", "zz"]), { code: "NOT_FOUND", message: /no session zz here/ });
    assert.equal((await storage.list()).length, 3);
  });

  it("says which one could not be removed, removes the others, and ends with 1", async () => {
    const storage = await three();
    const open = await storage.open("a");
    const { code, left, err } = await remove(storage, true, ["a", "b"]);
    assert.deepEqual([code, left], [1, ["c", "a"]]);
    assert.match(err, /^a: This session is open in another window.*\nRemoved b\.\n$/);
    await open.close();
  });
});
