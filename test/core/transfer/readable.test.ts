/** A session as Markdown and as a page: readable anywhere, escaped, without secrets. */
import assert from "node:assert/strict";
import { createSession } from "../../../src/core/session/openSession";
import { exportHtml, exportMarkdown } from "../../../src/core/transfer/readable";
import type { Redact } from "../../../src/shared/redacted";
import { world } from "../../fakes/agent";

const redact = ((text: string) => text.replaceAll("hunter2", "[secret:a]")) as Redact;

async function exported(said: string, answer: string) {
  const { ports, models } = world({
    mode: "auto",
    shell: { ls: { output: [["stdout", "```\n<b>a.ts</b> hunter2\n"]] } },
  });
  models.play({ calls: [{ name: "Bash", input: { command: "ls" } }] }, { text: answer });
  const session = await createSession(ports);
  await session.submit(said);
  await session.idle();
  const deps = { redact, title: "A <title> & hunter2", now: () => 0 };
  const { files } = session.history;
  const pages = { markdown: await exportMarkdown(files, deps), html: await exportHtml(files, deps) };
  await session.close();
  return pages;
}

describe("a session for people without Strata", () => {
  it("has no secret in any format, whoever wrote it", async () => {
    const { markdown, html } = await exported("my password is hunter2", "It is hunter2.");
    for (const text of [markdown, html]) {
      assert.ok(!text.includes("hunter2"));
      assert.ok(text.includes("[secret:a]"));
    }
  });

  it("as a page has no script, nothing from elsewhere, and every text escaped", async () => {
    const { html } = await exported(
      '<script>alert(1)</script> "x"',
      "```js\nif (a < b) {}\n```\n\n<img src=x onerror=y>",
    );
    assert.doesNotMatch(html, /<(script|img|link|iframe)/i);
    assert.match(html, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/);
    assert.match(html, /<pre dir="auto">if \(a &lt; b\) \{\}<\/pre>/);
    assert.match(html, /default-src 'none'/);
    assert.doesNotMatch(html, /<[^>]*(src|href)=/);
  });

  it("as Markdown keeps what was written; an output with fences, or a block that nobody ended, takes nothing else along", async () => {
    const { markdown } = await exported("look", "```js\nlet a;");
    assert.match(markdown, /^# A \\<title\\> & \[secret:a\]|^# A \\<title\\> & /);
    assert.match(markdown, /## You\n\nlook\n/);
    assert.match(markdown, /```js\nlet a;\n```\n$/);
    assert.ok(markdown.indexOf("## You") < markdown.indexOf("## Agent"));
  });
});
