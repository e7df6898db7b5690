/** Output on its way to a card: whole secrets only, and nobody waits for long. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { LiveRedactor } from "../../../src/core/secrets/lineRedactor";
import { createRedactor } from "../../../src/core/secrets/redact";
import { FakeClock } from "../../fakes/clock";
import { hash } from "../../fakes/hash";

const secret = `ghp_${"x9Y8".repeat(9)}`;
const environment = { API_KEY: "x1y2z3x1y2z3", DB_PASSWORD: "correct Horse 9 battery" };
const redactor = createRedactor(text => hash.sha256(`key ${text}`), { environment });
const { redact } = redactor;

function card() {
  const clock = new FakeClock();
  const shown: string[] = [];
  const live = new LiveRedactor(redactor, (stream, text) => shown.push(`${stream}: ${text}`), clock);
  return { clock, shown, live };
}

describe("live output", () => {
  it("comes line by line, each stream by itself", () => {
    const { shown, live } = card();
    live.push("stdout", "one\ntw");
    live.push("stderr", "three\n");
    live.push("stdout", "o\nfour");
    live.end();
    assert.deepEqual(shown, ["stdout: one\n", "stderr: three\n", "stdout: two\n", "stdout: four"]);
  });

  it("of a line that takes its time comes after 100 ms, up to its last word", async () => {
    const { shown, live, clock } = card();
    live.push("stdout", `Building ${secret.slice(0, 20)}`);
    assert.deepEqual(shown, []);
    await clock.advance(100);
    assert.deepEqual(shown, ["stdout: Building "]);
    live.push("stdout", `${secret.slice(20)} ok`);
    await clock.advance(100);
    live.push("stdout", ".\n");
    assert.deepEqual(shown.slice(1), [`stdout: ${redact(secret)} `, "stdout: ok.\n"]);
    live.end();
    assert.equal(clock.waiting, 0);
  });

  for (const [name, text] of [
    ["a password with blanks", "login with correct Horse 9 battery now"],
    ["a key told by the words before it", `aws_secret_access_key = "${"wJalr9".repeat(6)}abcd" ok`],
  ] as const) {
    it(`holds back what may be the beginning of a secret: ${name}`, async () => {
      for (let cut = 1; cut < text.length; cut += 1) {
        const { shown, live, clock } = card();
        live.push("stdout", text.slice(0, cut));
        await clock.advance(100);
        live.push("stdout", text.slice(cut));
        live.end();
        assert.notEqual(redact(text), text);
        assert.equal(shown.map(line => line.slice("stdout: ".length)).join(""), redact(text));
      }
    });
  }

  it("shows no part of a secret, however it is cut", async () => {
    const key = [
      "-----BEGIN PRIVATE KEY-----",
      ..."abc".split("").map(c => `${c}9`.repeat(32)),
      "-----END PRIVATE KEY-----",
    ];
    const text = `a ${secret} b correct Horse 9 battery\nx1y2z3x1y2z3\n${key.join("\n")}\n${secret}x1y2z3x1y2z3`;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ at: fc.integer({ min: 1, max: text.length - 1 }), wait: fc.constantFrom(0, 0, 150) })),
        async cuts => {
          const { shown, live, clock } = card();
          let from = 0;
          for (const { at, wait } of [...cuts.sort((a, b) => a.at - b.at), { at: text.length, wait: 0 }]) {
            live.push("stdout", text.slice(from, at));
            await clock.advance(wait);
            from = at;
          }
          live.end();
          assert.equal(shown.map(line => line.slice("stdout: ".length)).join(""), redact(text));
        },
      ),
      { numRuns: 150 },
    );
  });
});
