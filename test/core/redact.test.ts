import assert from "node:assert/strict";
import fc from "fast-check";
import { createRedactor, mapStrings, redactingWriter } from "../../src/core/redact";
import { MemoryBlobs } from "../fakes/blobs";
import { hash } from "../fakes/hash";

// Put together here, so that no scanner takes them for real ones.
const secrets = {
  "openai-key": `sk-${"proj-"}${"a1B2".repeat(8)}`,
  "github-token": `ghp_${"x9Y8".repeat(9)}`,
  "aws-key-id": `AKIA${"ABCD".repeat(4)}`,
  "slack-token": `xoxb-${"1234567890-"}abcdef`,
  "google-key": `AIza${"b".repeat(35)}`,
  "private-key": `-----BEGIN RSA PRIVATE KEY-----\n${"QUJD\n".repeat(20)}-----END RSA PRIVATE KEY-----`,
};
const make = () => createRedactor(text => hash.sha256(`key ${text}`));

describe("redactor", () => {
  for (const [name, secret] of Object.entries(secrets)) {
    it(`hides a ${name}, the same everywhere, and puts it back`, () => {
      const redactor = make();
      const text = `before ${secret} after ${secret}`;
      const hidden = redactor.redact(text);
      assert.ok(!hidden.includes(secret));
      assert.match(hidden, new RegExp(`^before (\\[secret:${name}:[0-9a-f]{12}\\]) after \\1$`));
      assert.equal(redactor.redact(hidden), hidden);
      assert.equal(redactor.restore(hidden), text);
      assert.equal(make().redact(text), hidden);
    });
  }
  it("hides the password of an address, and nothing of a plain one", () => {
    assert.match(
      make().redact("postgres://u:hunter2hunter2@db/x"),
      /^postgres:\/\/u:\[secret:url-password:[0-9a-f]{12}\]@db\/x$/,
    );
    assert.equal(make().redact("https://example.com:8080/a@b"), "https://example.com:8080/a@b");
  });
  it("leaves code alone", () => {
    const code =
      'const sk = "sk-short"; git commit 3f2a9c; sk-learn-model-selection-and-more task-sk-1learn_model_selection';
    assert.equal(make().redact(code), code);
  });
  it("leaves an unknown placeholder as it stands", () => {
    assert.equal(make().restore("[secret:openai-key:0123456789ab]"), "[secret:openai-key:0123456789ab]");
  });
  it("maps every string of a value", () => {
    assert.deepEqual(
      mapStrings({ a: ["x", { b: "y" }], n: 1, z: null }, text => text + text),
      { a: ["xx", { b: "yy" }], n: 1, z: null },
    );
  });

  it("redacts what streams into a blob, however it is cut", async () => {
    const text = `line one\nexport KEY=${secrets["openai-key"]}\n${secrets["private-key"]}\n${"y".repeat(70_000)} ${secrets["github-token"]} end`;
    const expected = make().redact(text);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: text.length - 1 }), { maxLength: 6 }), async cuts => {
        const blobs = new MemoryBlobs();
        const writer = redactingWriter(blobs.writer(), make());
        const bytes = Buffer.from(text);
        const points = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
        for (let at = 1; at < points.length; at++) await writer.write(bytes.subarray(points[at - 1], points[at]));
        const { sha256 } = await writer.finish();
        assert.equal(blobs.text(sha256), expected);
      }),
      { numRuns: 60 },
    );
  });
});
