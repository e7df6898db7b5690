/** Export, import, sizes and removal as a user runs them: processes of their own, files on disk. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inPlace, type Place, program, runArgs, said, withModel } from "./program";

const SECRET = "q9w8e7-known-since-today";

describe("strata export, import, list --size and remove", function () {
  this.timeout(180_000);
  const { place, strata } = program();
  let at: Place;
  let id: string;
  const files = () => inPlace(at);
  const on = (...args: string[]) => strata(at, [...args, ...files()]);
  const sessions = () => readdirSync(join(at.storage, "sessions")).sort();

  before(async () => {
    at = place();
    await withModel(
      request =>
        said(request).length > 0
          ? { text: "Done: 文字 \u{1f600}." }
          : { calls: [{ name: "Bash", input: { command: `seq 1 3000; echo ${SECRET}` } }] },
      async url => {
        const ran = await strata(at, runArgs(at, url, "--mode", "auto", "--trust", "--prompt", "Zähle bis 3000!"));
        assert.equal(ran.code, 0, ran.err);
      },
    );
    [id = ""] = sessions();
  });

  it("goes out as one file that only its owner reads, named by its title, and its handles resolve in another storage", async () => {
    const out = await on("export", id);
    assert.equal(out.code, 0, out.err);
    const path = out.out.trim();
    assert.equal(path, join(at.home, `zähle-bis-3000-${id}.strata.jsonl`));
    assert.equal(out.err, "Exported: 2 logs, 4 outputs.\n");
    assert.equal(statSync(path).mode & 0o077, 0);
    const lines = readFileSync(path, "utf8").split("\n").slice(0, -2);
    const sum = createHash("sha256")
      .update(`${lines.join("\n")}\n`)
      .digest("hex");
    assert.equal(JSON.parse(readFileSync(path, "utf8").trim().split("\n").at(-1) ?? "").sha256, sum);

    const elsewhere = { ...at, storage: join(at.home, "elsewhere") };
    const there = (...args: string[]) => strata(elsewhere, [...args, "--storage", elsewhere.storage]);
    // It ran with --mode auto.
    const err = "Its permissions were not imported: Strata asks again here.\n";
    assert.deepEqual(await there("import", path), { code: 0, out: `${id}\n`, err });
    const verified = await there("verify", id);
    assert.match(verified.out, /^Everything is there as it was sent\.\n {2}2 requests, 2 proven/);
    const handle = /obs:[0-9a-f]{12}/.exec((await there("recall", "--query", "2999", "--session", id)).out)?.[0] ?? "";
    const whole = Array.from({ length: 3000 }, (_, line) => `${line + 1}\n`).join("");
    assert.equal((await there("recall", handle, "--session", id)).out, `${whole}${SECRET}\n`);
    assert.match((await there("list")).out, new RegExp(`^${id}  .*1 turn  Zähle bis 3000!\n$`));
    await withModel(
      request => ({ text: `I have ${request.messages.length} messages.` }),
      async url => {
        const more = await strata(elsewhere, runArgs(elsewhere, url, "--session", id, "--prompt", "more"));
        assert.match(more.out, /I have 7 messages/);
      },
    );
  });

  it("hides in the export what became known as a secret, and says so", async () => {
    const known = { ...at, env: { NEW_TOKEN: SECRET } };
    const out = await strata(known, ["export", id, "secret.strata.jsonl", ...files()]);
    assert.equal(out.code, 0, out.err);
    assert.match(out.err, /! \d+ places hold what is known as a secret now/);
    assert.equal(readFileSync(join(at.home, "secret.strata.jsonl"), "utf8").includes(SECRET), false);
  });

  it("writes over nothing without --force, and pours to standard output", async () => {
    const path = join(at.home, "mine.txt");
    writeFileSync(path, "mine");
    const refused = await on("export", id, "mine.txt");
    assert.equal(refused.code, 2);
    assert.match(refused.err, /mine\.txt is there already.*--force/);
    assert.equal(readFileSync(path, "utf8"), "mine");
    assert.equal((await on("export", id, "mine.txt", "--force")).code, 0);
    const poured = await on("export", id, "-");
    const body = (text: string) => text.split("\n").slice(1, -2);
    assert.deepEqual(body(poured.out), body(readFileSync(path, "utf8")));
    for (const [file, words] of [
      ["no/such/folder.x", /folder\.x was not written\. Its folder is not there\./],
      [".", /is a folder\. Name a file/],
    ] as const)
      assert.match((await on("export", id, file)).err, words);
    assert.match((await on("export", "ses_none", "x")).err, /There is no session "ses_none" here/);
    assert.deepEqual(
      readdirSync(at.home).filter(name => name.endsWith(".tmp")),
      [],
    );
  });

  it("an import of a damaged file creates nothing and says why", async () => {
    assert.equal((await on("export", id, "whole.x")).code, 0);
    const whole = readFileSync(join(at.home, "whole.x"), "utf8");
    const before = sessions();
    const check = async (content: string, words: RegExp) => {
      writeFileSync(join(at.home, "bad.x"), content);
      const { code, out, err } = await on("import", "bad.x");
      assert.deepEqual([code, out], [1, ""]);
      assert.match(err, words);
      assert.doesNotMatch(err, /\n\s+at /);
      assert.deepEqual(sessions(), before);
    };
    await check(whole.replace("2999", "2998"), /was changed or damaged, as line \d+ shows/);
    assert.match((await on("import", "nothing.x")).err, /nothing\.x is not there/);
  });

  it("an import beside the original has a new id, can be listed with its size, and removed with --yes only", async () => {
    const copy = (await on("import", "whole.x")).out.trim();
    assert.deepEqual(sessions(), [id, copy].sort());
    const sized = await on("list", "--size");
    assert.match(sized.out, /(ses_\S+ {2}.* {2}1 turn {2}\d+ kB {2}Zähle bis 3000!\n){2}\d+ kB in all\n$/);
    const few = { ...at, env: { STRATA_STORAGE_MAX_BYTES: "1000" } };
    const limited = await strata(few, ["list", "--size", ...files()]);
    assert.match(limited.err, /^! [^\n]*\(1 kB\).*Nothing is removed automatically\.\n$/);
    assert.equal((await on("remove", copy)).code, 2);
    assert.equal((await on("remove", copy, "ses_none", "--yes")).code, 1);
    assert.deepEqual(sessions(), [id, copy].sort());
    assert.deepEqual(await on("remove", copy, "--yes"), { code: 0, out: "", err: `Removed ${copy}.\n` });
    assert.deepEqual(sessions(), [id]);
  });
});
