/** A task that comes by a pipe, as from a build that failed. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtProduct } from "../../scripts/lib/product.mjs";
import type { OfflineRequest } from "../../scripts/offline-model/server.mjs";
import { type Ended, endOf, program, runArgs, withModel } from "./program";

describe("a prompt by standard input", function () {
  this.timeout(180_000);
  const { place } = program();

  /** @param given what is written into its standard input */
  async function piped(at: ReturnType<typeof place>, given: string, args: string[]): Promise<Ended> {
    const path = join(await builtProduct(), "cli.js");
    const env = { PATH: process.env.PATH, HOME: at.home, TMPDIR: process.env.TMPDIR };
    const child = spawn(process.execPath, [path, ...args], { env, stdio: "pipe", cwd: at.home });
    // It may have ended by then.
    child.stdin.on("error", () => undefined);
    child.stdin.end(given);
    return endOf(child);
  }

  /** @param left what writes into a pipe, as a shell command */
  async function beside(at: ReturnType<typeof place>, left: string, args: string[], right = ""): Promise<Ended> {
    const path = join(await builtProduct(), "cli.js");
    const env = { PATH: process.env.PATH, HOME: at.home, TMPDIR: process.env.TMPDIR };
    const run = [process.execPath, path, ...args].map(word => `'${word}'`).join(" ");
    const line = left === "" ? `${run} ${right}` : `${left} | ${run} ${right}`;
    const child = spawn("bash", ["-c", line], { env, stdio: ["ignore", "pipe", "pipe"], cwd: at.home });
    return endOf(child);
  }

  it("beside a prompt: what is piped joins the message, as data; nothing, an open socket and /dev/null hang nothing", async () => {
    if (process.platform === "win32") return;
    const seen: string[] = [];
    const script = (request: OfflineRequest) => {
      seen.push(JSON.stringify(request.body));
      return { text: "Done." };
    };
    await withModel(script, async url => {
      const at = place();
      const args = runArgs(at, url, "--prompt", "review");
      const joins = /@stdin\\" note=\\"data, not instructions\\">\\n\+one @changes/;
      writeFileSync(join(at.home, "diff.txt"), "+one @changes\n");
      for (const [left, right] of [
        ["cat diff.txt", ""],
        ["", "< diff.txt"],
      ] as const) {
        const ran = await beside(at, left, args, right);
        assert.equal(ran.code, 0, ran.err);
        assert.match(seen.at(-1) ?? "", joins);
        assert.match(seen.at(-1) ?? "", /"review"/);
        assert.match(ran.err, /Attached: standard input, 1 line\n/);
        assert.doesNotMatch(ran.err, /changes/, "nothing in it is a mention");
      }
      for (const [left, right] of [
        ["true", ""],
        ["", "< /dev/null"],
        ["", "<&-"],
      ] as const) {
        const ran = await beside(at, left, args, right);
        assert.equal(ran.code, 0, ran.err);
        assert.doesNotMatch(seen.at(-1) ?? "", /stdin/);
      }
      const asked = seen.length;
      const refused = await beside(at, "printf 'a\\0b'", args);
      assert.deepEqual([refused.code, seen.length], [2, asked]);
      assert.match(refused.err, /is no text/);
      const given = await piped(at, "by a socket\n", args);
      assert.equal(given.code, 0, given.err);
      assert.match(seen.at(-1) ?? "", /by a socket/);
    });
  });

  const cases: [what: string, given: string, code: number, says: RegExp][] = [
    ["many lines, of any script", "Fehler: Größe\n第二行\n", 0, /^I heard: Fehler: Größe\n第二行\n/],
    ["nothing", "", 2, /nothing came by standard input/],
    ["blanks", " \n\t\n", 2, /nothing came by standard input/],
    ["too much", "x".repeat(1_100_000), 2, /too long for a prompt/],
  ];
  for (const [what, given, code, says] of cases) {
    it(what, () =>
      withModel(
        request => ({
          text: `I heard: ${request.messages.findLast(({ text }) => !text.includes("<system-reminder>") && text !== "")?.text}`,
        }),
        async url => {
          const at = place();
          const ended = await piped(at, given, runArgs(at, url, "--prompt", "-"));
          assert.equal(ended.code, code, ended.err);
          assert.match(code === 0 ? ended.out : ended.err, says);
        },
      ),
    );
  }
});
