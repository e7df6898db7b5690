/** Secrets in what programs colour. */
import assert from "node:assert/strict";
import { createRedactor, redactingWriter } from "../../../src/core/secrets/redact";
import { MemoryBlobs } from "../../fakes/blobs";
import { hash } from "../../fakes/hash";

const KEY = `ghp_${"a1B2".repeat(9)}`;
const redactor = () => createRedactor(text => hash.sha256(`key ${text}`), { environment: { API_KEY: "x1y2z3x1y2z3" } });
const named = (text: string) => text.replace(/\[secret:([\w-]+):[0-9a-f]{12}\]/g, "<$1>");

describe("coloured output", () => {
  const check = (title: string, text: string, expected: string) =>
    it(title, async () => {
      const { redact, refresh } = redactor();
      assert.equal(named(redact(text)), expected);
      assert.equal(redact(redact(text)), redact(text));
      const blobs = new MemoryBlobs();
      const writer = redactingWriter(blobs.writer(), { redact, refresh });
      for (const character of text) await writer.write(character);
      assert.equal(named(blobs.text((await writer.finish()).sha256) ?? ""), expected);
    });

  check(
    "a part of a secret is marked, as by grep",
    "API_KEY=\x1b[01;31m\x1b[Kx1y2\x1b[m\x1b[Kz3x1y2z3\n\x1b[32mok\x1b[0m\n",
    "API_KEY=<API_KEY>\n\x1b[32mok\x1b[0m\n",
  );
  check("a key right behind a colour", `\x1b[0;32m${KEY}\x1b[0m\n`, "<github-token>\n");
  check(
    "a key in a link",
    `\x1b]8;;http://x\x1b\\${KEY}\x1b]8;;\x1b\\\n`,
    "\x1b]8;;http://x\x1b\\<github-token>\x1b]8;;\x1b\\\n",
  );
  check("colours around a secret stay", "\x1b[1mx1y2z3x1y2z3\x1b[0m", "\x1b[1m<API_KEY>\x1b[0m");
  check("a lone escape", "\x1b x1y2z3x1y2z3 \x1b", "\x1b <API_KEY> \x1b");
});
