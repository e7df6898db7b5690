/** What becomes of mentioned files and folders when a message is sent. */
import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FileError, type FileRef } from "../../../src/core/ground/ports";
import type { MentionedPlace } from "../../../src/core/mentions/message";
import { mentionedAttachments, mentionedPlaces, mentionReminder } from "../../../src/core/mentions/message";
import type { PathLookup } from "../../../src/core/tool/writtenPaths";
import { NodeFiles } from "../../../src/node/files";
import { remindedNames } from "../../../src/shared/mentions/write";
import { MemoryFiles } from "../../fakes/files";
import { temporaryFolder } from "../../fakes/temporary";

const names = async (text: string, files: PathLookup) => (await mentionedPlaces(text, files)).map(({ name }) => name);
const file = (name: string): MentionedPlace => ({ name, kind: "file" });
const folder = (name: string): MentionedPlace => ({ name, kind: "folder" });
const app = (files: Record<string, string>) => new MemoryFiles({ app: files });

/** The reminder's lines without its tags. */
function remind(...places: MentionedPlace[]): string[] {
  const text = mentionReminder(places) ?? "";
  assert.match(text, /^<system-reminder>\n[\s\S]*\n<\/system-reminder>$/);
  return text.split("\n").slice(1, -1);
}

describe("the reminder", () => {
  it("is as the contract has it", () => {
    assert.equal(mentionReminder([]), undefined);
    assert.equal(
      mentionReminder([file("src/utils/auth.ts")]),
      "<system-reminder>\nThe user mentioned @src/utils/auth.ts.\nYou MUST read this file with the Read tool before answering.\n</system-reminder>",
    );
    assert.deepEqual(remind(file("a"), file("b")), [
      "The user mentioned @a.",
      "The user mentioned @b.",
      "You MUST read these files with the Read tool, one by one in this order, before answering.",
    ]);
  });

  it("says LS of folders, and what is what where there are both", () => {
    assert.equal(remind(folder("src/")).at(-1), "You MUST look into this folder with the LS tool before answering.");
    assert.equal(
      remind(folder("src/"), folder("test/")).at(-1),
      "You MUST look into these folders with the LS tool, one by one in this order, before answering.",
    );
    assert.equal(
      remind(file("a.ts"), folder("src/")).at(-1),
      "You MUST look at these before answering, one by one in this order: files with the Read tool, folders (their names end with /) with the LS tool.",
    );
    // What stands behind the five names plays no part.
    const six = [...["1", "2", "3", "4", "5"].map(file), folder("src/")];
    assert.match(remind(...six).at(-1) ?? "", /^You MUST read these files/);
  });

  it("tells later what was found", () => {
    const named = [file("src/a.ts:3-4"), folder("src/"), file('"my notes.md"')];
    assert.deepEqual(remindedNames(mentionReminder(named) ?? ""), ["src/a.ts:3-4", "src/", '"my notes.md"']);
  });

  it("cannot be ended by a name", () => {
    const text = mentionReminder([file('"a</system-reminder>b"')]) ?? "";
    assert.equal(text.match(/<\/system-reminder>/g)?.length, 1);
  });
});

describe("mentioned places", () => {
  it("are files and folders of the workspace, as the user wrote them, each once, in order", async () => {
    const files = app({ "src/a.ts": "x", "my file.txt": "y", "my folder/b": "", "lib/x/y": "" });
    assert.deepEqual(
      await mentionedPlaces(
        'see @src/a.ts:1-2, @"my file.txt":3, @src/a.ts:1-2 @lib/x @lib/x/ @src/a.ts and @"my folder"',
        files,
      ),
      [file("src/a.ts:1-2"), file('"my file.txt":3'), folder("lib/x/"), file("src/a.ts"), folder('"my folder/"')],
    );
  });

  it("are none that are not there, lie outside, or are no path", async () => {
    const files = app({ "src/a.ts": "x" });
    const text =
      "@src/none.ts @../../etc/passwd @/etc/passwd @/ @ @.. @... @/ws/other @src/a.ts/b user@example.com @Injectable";
    assert.deepEqual(await names(text, files), []);
  });

  it("are what is there of the readings of a name without quotes, and never the folder of a file that is not", async () => {
    const files = app({
      Makefile: "",
      "src/a.ts": "",
      "docs/说明.md": "",
      "文档/a.md": "",
      "many/[id].ts": "",
      "many/x(2)": "",
    });
    assert.deepEqual(
      await names("@Makefile的内容 @src目录 @src/的文件 @src/a.ts的 @docs/说明.md的 @文档/a.md:3行", files),
      [...["Makefile", "src/", "src/a.ts", "docs/说明.md", "文档/a.md:3"]],
    );
    assert.deepEqual(await names("@many/[id].ts @many/x(2)", files), ["many/[id].ts", "many/x(2)"]);
    assert.deepEqual(
      await names("@many/[no].ts @docs/没有.md @many/(no) @docs/é @src/+page.svelte @src/$id", files),
      [],
    );
  });

  it("may be written absolutely", async () => {
    const files = app({ "src/a.ts": "x" });
    assert.deepEqual(await names("@/ws/app/src/a.ts and @/ws/app/src", files), ["/ws/app/src/a.ts", "/ws/app/src/"]);
  });

  it("have the name of their root where there are several: folders win over whatever else has that name", async () => {
    const files = new MemoryFiles({ app: { "a.ts": "" }, lib: { "b/c.ts": "" } });
    assert.deepEqual(await names("@lib:b/c.ts:3 @lib:b @a.ts @lib:a.ts @server:resource", files), [
      "lib:b/c.ts:3",
      "lib:b/",
      "a.ts",
    ]);
  });

  it("are one where two names are of the same file: on file systems without case, and by links", async () => {
    const files = app({ "src/a.ts": "x" });
    const anyCase: PathLookup = {
      roots: files.roots,
      resolve: input => files.resolve(input.toLowerCase()),
      stat: ref => files.stat(ref),
    };
    assert.deepEqual(await names("@SRC/A.ts @src/a.ts @Src", anyCase), ["SRC/A.ts", "Src/"]);
  });

  it("are none that went away meanwhile, nor any that the file system refuses", async () => {
    const files = app({ "src/a.ts": "x", "src/b.ts": "y" });
    const failing: PathLookup = {
      roots: files.roots,
      async resolve(input) {
        if (input.length > 255) throw new FileError("IO", "The name is too long.");
        return files.resolve(input);
      },
      async stat(ref: FileRef) {
        if (ref.path === "src/a.ts") files.remove("src/a.ts");
        return files.stat(ref);
      },
    };
    assert.deepEqual(await names(`@src/a.ts @src/b.ts @"${"x".repeat(300)}"`, failing), ["src/b.ts"]);
  });

  it("fail where the file system has a defect, not silently", async () => {
    const broken = {
      roots: [],
      resolve: async () => Promise.reject(new TypeError("a bug")),
      stat: async () => undefined,
    };
    await assert.rejects(mentionedPlaces("@src/a.ts", broken), /a bug/);
  });

  it("are looked up a few at a time, and no more than 200 different ones", async () => {
    const files = app(Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`f${n}.ts`, ""])));
    let [now, most, all] = [0, 0, 0];
    const counted: PathLookup = {
      roots: files.roots,
      resolve: input => files.resolve(input),
      async stat(ref) {
        all += 1;
        now += 1;
        most = Math.max(most, now);
        await new Promise(resolve => setImmediate(resolve));
        now -= 1;
        return files.stat(ref);
      },
    };
    const text = Array.from({ length: 300 }, (_, n) => `@f${n}.ts @f${n}.ts`).join(" ");
    const found = await mentionedPlaces(text, counted);
    assert.deepEqual([found.length, all, most <= 8], [200, 200, true]);
    assert.equal(remind(...found)[5], "(and 195 more…)");
  });

  it("are not what links lead to outside of the workspace", async () => {
    const top = temporaryFolder("mention");
    mkdirSync(join(top, "ws", "src"), { recursive: true });
    mkdirSync(join(top, "outside"));
    writeFileSync(join(top, "outside", "secret.txt"), "s");
    writeFileSync(join(top, "ws", "src", "a.ts"), "a");
    symlinkSync(join(top, "outside"), join(top, "ws", "out"));
    symlinkSync(join(top, "outside", "secret.txt"), join(top, "ws", "secret.txt"));
    symlinkSync(join(top, "ws", "src"), join(top, "ws", "in"));
    symlinkSync(join(top, "nowhere"), join(top, "ws", "dangling"));
    const files = new NodeFiles([join(top, "ws")]);
    const text = `@out @out/secret.txt @secret.txt @dangling @../outside/secret.txt @in/a.ts @src/a.ts @in @"${"é".repeat(300)}" @"a\u0000b"`;
    assert.deepEqual(await names(text, files), ["in/a.ts", "in/"]);
  });
});

describe("mentioned attachments", () => {
  it("are the bare words, each once, in order, whatever the workspace has", async () => {
    assert.deepEqual(mentionedAttachments("look at @terminal. Then @problems, @terminal and (@selection)!"), [
      "terminal",
      "problems",
      "selection",
    ]);
    const files = app({ problems: "a file", "terminal/a": "", "changes/b": "" });
    assert.deepEqual(await names("@problems @terminal @changes", files), []);
  });

  it("are not files and folders that are called so", async () => {
    const files = app({ problems: "a file", "terminal/a": "", "src/changes": "" });
    const text = '@./problems @"problems" @problems:3 @terminal/ @src/changes @Problems @problem';
    assert.deepEqual(mentionedAttachments(text), []);
    assert.deepEqual(await names(text, files), ["./problems", "problems:3", "terminal/", "src/changes"]);
  });
});
