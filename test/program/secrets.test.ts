/** Secrets of .env files and of the environment, in processes of their own, over HTTP and on disk. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { OfflineAnswer, OfflineRequest } from "../../scripts/offline-model/server.mjs";
import { type Place, program, runArgs, said, withModel } from "./program";

const secrets = {
  env: "x1y2z3-of-the-environment-9",
  root: "k9m4q7-of-the-root-8",
  nested: "w5t8r2-of-a-folder-7",
  words: "correct horse battery staple",
  shape: `ghp_${"x9Y8".repeat(9)}`,
};
const collector = "g3h7v2-of-the-collector-6";

describe("secrets in a terminal", function () {
  this.timeout(180_000);
  const { place, strata } = program();

  function workspace(): Place {
    const at = { ...place(), env: { DEPLOY_TOKEN: secrets.env } };
    writeFileSync(join(at.workspace, ".env"), `export API_KEY="${secrets.root}"\nDB_PASSWORD='${secrets.words}'\n`);
    mkdirSync(join(at.workspace, "apps/web"), { recursive: true });
    writeFileSync(join(at.workspace, "apps/web/.env.local"), `SESSION_SECRET=${secrets.nested}\n`);
    writeFileSync(join(at.workspace, "a.txt"), `${Object.values(secrets).join("\n")}\n`);
    return at;
  }

  /** Runs one turn, in which the model takes these steps; resolves to all that came out of it. */
  async function turn(at: Place, steps: OfflineAnswer[], ...more: string[]) {
    const bodies: OfflineRequest[] = [];
    return withModel(
      request => {
        bodies.push(request);
        return steps[bodies.length - 1] ?? { text: "Done." };
      },
      async url => {
        const ended = await strata(at, runArgs(at, url, "--mode", "auto", "--trust", "--json", ...more));
        return { ...ended, bodies };
      },
    );
  }

  const bash = (command: string): OfflineAnswer => ({ calls: [{ name: "Bash", input: { command } }] });
  const clean = (what: string, text: string) => {
    for (const [name, secret] of Object.entries(secrets)) assert.ok(!text.includes(secret), `${name} in ${what}`);
  };
  const kept = (at: Place) => join(at.home, "config/strata/redaction.secrets.json");

  /** everything that was written, but for what is to hold secrets */
  function written(at: Place): string {
    const files = [at.storage, join(at.home, "config"), join(at.home, "state")].filter(existsSync).flatMap(folder =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile() && entry.name !== "redaction.secrets.json")
        // States of files are for undo: as they are.
        .filter(entry => basename(entry.parentPath) !== "snapshots")
        .map(entry => join(entry.parentPath, entry.name)),
    );
    assert.ok(files.some(file => file.endsWith("history.jsonl")));
    return files.map(file => readFileSync(file, "latin1")).join("\n");
  }

  it("never reach the model, the log, a blob or a line of output, and are put back by another process", async () => {
    const at = workspace();
    const prompt = `Is the key ${secrets.root}?`;
    const first = await turn(
      at,
      [
        // a name that is protected would be asked about
        bash("cat .en* apps/web/.en* a.txt; echo $DEPLOY_TOKEN; printf '%s' \"$DEPLOY_TOKEN\" >&2"),
        bash("for i in $(seq 2000); do echo $i $DEPLOY_TOKEN and more words; done; cat a.txt"),
        { calls: [{ name: "Read", input: { file_path: "a.txt" } }] },
      ],
      "--prompt",
      prompt,
    );
    assert.equal(first.code, 0, first.err);
    assert.equal(first.bodies.length, 4);
    clean("the requests", JSON.stringify(first.bodies));
    clean("the output", first.out + first.err);
    clean("the storage", written(at));
    assert.ok(readdirSync(at.storage, { recursive: true }).some(name => String(name).includes("blobs/")));
    const answer = said(first.bodies[3] ?? assert.fail()).at(-1)?.text ?? "";
    const marks = answer.match(/\[secret:[\w-]+:[0-9a-f]{12}\]/g) ?? [];
    assert.equal(marks.length, 5, answer);

    // Another process, without the files and the variable that they came from.
    for (const name of [".env", "apps/web/.env.local", "a.txt"]) rmSync(join(at.workspace, name));
    writeFileSync(join(at.workspace, "b.txt"), "one\n");
    const content = `${marks.join("\n")}\n`;
    const next = await turn(
      { ...at, env: {} },
      [
        { calls: [{ name: "Read", input: { file_path: "b.txt" } }] },
        { calls: [{ name: "Edit", input: { file_path: "b.txt", old_string: "one\n", new_string: content } }] },
      ],
      ...["--continue", "--prompt", "Write them down"],
    );
    assert.equal(next.code, 0, next.err);
    assert.equal(readFileSync(join(at.workspace, "b.txt"), "utf8"), `${Object.values(secrets).join("\n")}\n`);
    clean("the requests", JSON.stringify(next.bodies));
    clean("the storage", written(at));
    if (process.platform !== "win32") assert.equal(statSync(kept(at)).mode & 0o777, 0o600);
  });

  it("of the collector's address stay out of the day's log", async () => {
    const at = workspace();
    const settings = join(at.home, "config/strata/settings.json");
    mkdirSync(join(settings, ".."), { recursive: true });
    const address = `http://agent:${collector}@127.0.0.1:1`;
    writeFileSync(settings, JSON.stringify({ "strata.telemetry.otlpEndpoint": address }));
    const ended = await turn(at, [bash("echo hi")], "--prompt", "go");
    assert.equal(ended.code, 0, ended.err);
    rmSync(settings);
    const all = written(at);
    assert.match(all, /the collector takes no spans/);
    assert.ok(!all.includes(collector));
  });

  it("are hidden in a workspace that is not trusted too, and where the map is broken", async () => {
    const at = workspace();
    mkdirSync(join(kept(at), ".."), { recursive: true });
    writeFileSync(kept(at), '{"version":1,"secrets":{"[secret');
    const bodies: OfflineRequest[] = [];
    const { code, err } = await withModel(
      request => {
        bodies.push(request);
        return said(request).length > 0
          ? { text: "Done." }
          : { calls: [{ name: "Read", input: { file_path: "a.txt" } }] };
      },
      url => strata(at, runArgs(at, url, "--prompt", "go")),
    );
    assert.equal(code, 0, err);
    assert.match(err, /The placeholders for secrets could not be read, .*redaction\.secrets\.broken\.json/);
    assert.match(said(bodies[1] ?? assert.fail())[0]?.text ?? "", /\[secret:DEPLOY_TOKEN:[0-9a-f]{12}\]/);
    clean("the requests", JSON.stringify(bodies));
    assert.match(readFileSync(kept(at), "utf8"), /^\{"version":1,"secrets":\{"\[secret:.*\}$/);
  });
});
