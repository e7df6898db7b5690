/** A private key that is asked for line by line is still a private key: no line tells that it is of one. */
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { findPrivateKeys, openKeyAt } from "../../src/core/ground/text/privateKeys";
import { createRedactor } from "../../src/core/secrets/redact";
import type { Json } from "../../src/shared/messages";
import { runTurn, start } from "../fakes/agent";
import { hash } from "../fakes/hash";
import { onDisk } from "./onDisk";

const { privateKey, publicKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});
const inner = privateKey.trim().split("\n").slice(1, -1);
const bash = (command: string) => ({ name: "Bash", input: { command } });
const grep = (input: Record<string, Json>) => ({ name: "Grep", input: { output_mode: "content", ...input } });

describe("attack 7: a private key, line by line", () => {
  let agent: Awaited<ReturnType<typeof onDisk>>;
  let live = true;
  afterEach(async () => {
    const told = agent.told({ live });
    live = true;
    for (const [index, line] of inner.entries()) assert.ok(!told.includes(line), `line ${index + 2} was told: ${line}`);
    await agent.close();
  });

  it("is hidden in what Grep finds, whatever the file is called, and its neighbours are not", async () => {
    const text = `note = here\n${privateKey}\n${publicKey}`;
    agent = await onDisk({ "notes/a.txt": text, "src/b.ts": `export const x = [\n  "${inner[0]}",\n];\n` });
    const shown = await agent.play(
      ...inner.slice(0, 3).map(line => grep({ pattern: line.slice(0, 8).replace(/[+/]/g, ".") })),
      grep({ pattern: "^[A-Za-z0-9+/=]{20,}$|note" }),
    );
    assert.match(shown, /1:note = here/);
    assert.match(shown, /\[secret:private-key:[0-9a-f]{12}\]/);
    assert.ok(shown.includes(publicKey.split("\n")[2]!), "a public key is none");
    assert.match(await agent.play(grep({ pattern: "[A-Za-z0-9+/=]{20,}", path: "notes/a.txt", "-A": 2 })), /secret:/);
  });

  it("is hidden in what commands print: of a file with a key's name, and of one that the command names", async () => {
    agent = await onDisk({ "deploy/site.key": privateKey, "notes/a.txt": privateKey });
    await agent.play(
      ...[2, 5, 9].flatMap(line => [
        bash(`sed -n ${line}p deploy/*.key`),
        bash(`cd notes && sed -n '${line}p' < a.txt`),
        bash(`head -${line} "notes/a.txt" | tail -1`),
        bash(`sed -n ${line}p ${agent.folder}/notes/a.txt >&2`),
      ]),
      bash("cat notes/a.txt"),
      bash("grep -n . notes/a.txt | tail -20"),
    );
  });

  it("is hidden in what commands print of a file that nobody named", async () => {
    // A person sees it pass by while the command runs: it is looked for when there is something to look for.
    live = false;
    agent = await onDisk({ "notes/a.txt": privateKey });
    const shown = await agent.play(
      ...[3, 6].map(line => bash(`cat no*/*.t* | sed -n ${line}p`)),
      bash("grep -rhE '^[A-Za-z0-9+/]{60}' ."),
    );
    assert.match(shown, /\[secret:private-key:[0-9a-f]{12}\]/);
  });

  it("is hidden where a background task prints it", async () => {
    agent = await onDisk({ "notes/a.txt": privateKey });
    await agent.play({ name: "Bash", input: { command: "sed -n 4p notes/a.txt", run_in_background: true } });
  });

  it("is hidden after a Read of another part, wherever it comes up", async () => {
    agent = await onDisk({ "notes/a.txt": privateKey });
    await agent.play(
      { name: "Read", input: { file_path: "notes/a.txt", offset: 3, limit: 2 } },
      bash("for f in $(ls -d notes)/*; do sed -n 7p $f; done"),
    );
  });
});

describe("attack 7: lines that look like something else", () => {
  it("are of the key all the same: one like a path, one like words", () => {
    const looks = ["usr/local/share/keys/of/theirs", "thisIsOnlySomeWordsOfText"];
    const key = [...privateKey.trim().split("\n").slice(0, 3), ...looks, privateKey.trim().split("\n").at(-1)].join(
      "\n",
    );
    const redactor = createRedactor(text => hash.sha256(text));
    redactor.learn(key);
    for (const line of looks) assert.match(redactor.redact(`27:${line}`), /^27:\[secret:private-key:/);
  });
});

describe("attack 7: what a search leaves out", () => {
  it("is not said by Grep, so that nobody learns by it what a protected file holds", async () => {
    const files = { ".env": "TOKEN=x1y2z3x1y2z3\n", "a.ts": "one\n" };
    const said = async (pattern: string) => {
      const agent = await start({ mode: "auto", files });
      agent.models.play({ calls: [grep({ pattern })] }, { text: "ok" });
      await runTurn(agent.session, "go");
      return JSON.stringify(agent.models.requests.at(-1)).replaceAll(pattern, "PATTERN");
    };
    assert.equal(await said("TOKEN=x1"), await said("TOKEN=x2"));
  });
});

describe("attack 14: keys of other shapes", () => {
  const body = inner.slice(0, 5).map(line => line.slice(0, 60));
  const ssh2 = [
    "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----",
    'Comment: "2048-bit rsa, me@here"',
    ...[...body, "aB3="],
    "---- END SSH2 ENCRYPTED PRIVATE KEY ----",
  ].join("\n");
  const putty = [
    ...["PuTTY-User-Key-File-3: ssh-rsa", "Encryption: none", "Comment: mine", "Public-Lines: 1", "AAAAB3NzaC1yc2E="],
    ...["Private-Lines: 6", ...body, "aB3=", `Private-MAC: ${"0a".repeat(32)}`],
  ].join("\n");
  const { redact } = createRedactor(text => hash.sha256(`key ${text}`));

  for (const [what, key] of Object.entries({ ssh2, putty }))
    it(`are hidden: ${what}, whole, numbered, quoted and cut off`, () => {
      const hides = (text: string) => {
        const hidden = redact(text);
        for (const line of body) assert.ok(!hidden.includes(line), hidden);
        assert.match(hidden, /^before[\s\S]*\[secret:private-key:[0-9a-f]{12}\]/);
        return hidden;
      };
      const lines = key.split("\n");
      assert.match(hides(`before\n${key}\nafter\n`), /\]\nafter\n$/);
      hides(`before\n${lines.map((line, at) => `${at + 1}\t${line}`).join("\n")}\n`);
      hides(`before "${lines.join("\\n")}";\n`);
      hides(`before\n${lines.slice(0, -2).join("\n")}`);
      assert.equal(findPrivateKeys(`x\n${key}`).length, 1);
      assert.ok(openKeyAt(lines.slice(0, -1).join("\n")) !== undefined);
      assert.equal(openKeyAt(key), undefined);
    });

  it("and what only speaks of them is not", () => {
    const code = 'if (line.startsWith("Private-Lines: ")) count = 3; // ---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n';
    assert.equal(redact(code), code);
  });
});
