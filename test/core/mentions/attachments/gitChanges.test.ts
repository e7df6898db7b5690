/** What Git says is not committed, as a message attaches it. */
import assert from "node:assert/strict";
import { estimateTokens } from "../../../../src/core/ground/text/estimate";
import { diffOf } from "../../../fakes/attachments";
import { inside, TOKEN, world } from "./attaching";

describe("attached changes", () => {
  const repository = { root: "/ws/app", staged: "", unstaged: "", untracked: [] };

  it("are what is staged, what is not, and what Git does not know", async () => {
    const changes = [
      {
        ...repository,
        branch: "main",
        staged: diffOf("src/a.ts"),
        unstaged: diffOf("b.ts") + diffOf("src/a.ts"),
        untracked: ["new.ts"],
      },
    ];
    const attached = await world({ changes }).one("changes");
    const lines = inside(attached);
    assert.deepEqual(lines.slice(0, 5), [
      "2 changed files (+3 −3), 1 untracked file",
      "Repository /ws/app, branch main:",
      "Not tracked: new.ts",
      "Staged:",
      "diff --git a/src/a.ts b/src/a.ts",
    ]);
    assert.equal(lines[lines.indexOf("Not staged:") + 1], "diff --git a/b.ts b/b.ts");
    assert.deepEqual([attached.title, attached.trust], [lines[0], "workspace"]);
  });

  it("leave out what is protected: by any of its names, and outside of the workspace", async () => {
    const renamed =
      "diff --git a/.env b/notes.txt\nrename from .env\nrename to notes.txt\n--- a/.env\n+++ b/notes.txt\n@@ -1 +1 @@\n-HIDDEN\n+HIDDEN\n";
    const unstaged = [".env", "keys/id_rsa", "../outside.ts", ".vscode/settings.json", ".GIT/config"]
      .map(path => diffOf(path, "HIDDEN", "HIDDEN"))
      .concat(renamed)
      .join("");
    const attached = await world({ changes: [{ ...repository, unstaged: unstaged + diffOf("a.ts") }] }).one("changes");
    assert.ok(!attached.text.includes("HIDDEN"));
    assert.equal(attached.title, "1 changed file (+1 −1)");
    assert.match(
      attached.text,
      /\(6 files left out, protected or outside the workspace: [^)]*\. Reading one asks the user\.\)/,
    );
    const alone = await world({ changes: [{ ...repository, unstaged: diffOf(".env", "HIDDEN") }] }).one("changes");
    assert.equal(alone.title, "changes of protected files only");
    assert.match(alone.text, /1 file left out[^:]*: \.env/);
    assert.ok(!alone.text.includes("HIDDEN"));
  });

  it("leave out what no file's name stands over", async () => {
    const unstaged = `${TOKEN} of another program\n${diffOf("a.ts")}diff --git a/one b/.env\nBinary files differ\n`;
    const attached = await world({ changes: [{ ...repository, unstaged }] }).one("changes");
    assert.ok(!attached.text.includes("another program") && !attached.text.includes("Binary"));
    assert.match(attached.text, /a file whose name cannot be made out/);
  });

  it("name new files of the workspace only", async () => {
    const changes = [{ ...repository, root: "/ws", untracked: ["app/in.ts", "other/out.ts"] }];
    const { text, title } = await world({ changes }).one("changes");
    assert.equal(title, "1 untracked file");
    assert.match(text, /Not tracked: app\/in\.ts$/m);
  });

  it("are a sentence where there are none", async () => {
    const attached = await world({ changes: [repository, { ...repository, root: "/ws/lib" }] }).one("changes");
    assert.deepEqual([attached.empty, attached.title], [true, "Git lists no uncommitted changes."]);
  });

  it("hide secrets, keys over several lines too", async () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${`${"MIIEvQ1x".repeat(8)}\n`.repeat(12)}-----END PRIVATE KEY-----`;
    const added = key.split("\n").map(line => `+${line}`);
    const unstaged = `diff --git a/a.txt b/a.txt\nnew file mode 100644\n--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,${added.length + 1} @@\n${added.join("\n")}\n+${TOKEN}\n`;
    const { text } = await world({ changes: [{ ...repository, unstaged }] }).one("changes");
    assert.ok(!text.includes(TOKEN) && !text.includes("MIIEvQ1x"), text);
  });

  it("that are very many are named first and cut", async () => {
    const unstaged = Array.from({ length: 700 }, (_, n) => diffOf(`f${n}.ts`)).join("");
    const untracked = Array.from({ length: 60 }, (_, n) => `new${n}.ts`);
    const { text, raw } = await world({ changes: [{ ...repository, unstaged, untracked, cut: true }] }).one("changes");
    assert.match(text, /^500 changed files/m);
    assert.match(text, /^Not tracked: .*new49\.ts, and 10 more$/m);
    assert.match(text, /^\(200 more changed files left out\)$/m);
    assert.match(text, /^\(There is more: only the beginning of the diff was read\.\)$/m);
    assert.ok(raw && estimateTokens(text) < 12_500);
  });
});
