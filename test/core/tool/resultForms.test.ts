/** The table of docs/context.md: what each tool's result becomes when its turn has ended, and when it is folded. */
import assert from "node:assert/strict";
import { compressResult, foldedForm, keptForm, leftOutMark, settledInput } from "../../../src/core/tool/resultForms";
import type { Json } from "../../../src/shared/messages";
import type { ToolResult } from "../../../src/shared/toolResult";
import type { ShellScript } from "../../fakes/shell";
import { formsOf, Harness, numbered } from "../looking/harness";

const HANDLE = "obs:3fa9c1d2e4b5";

interface Expected {
  /** the compressed `data`, or what the whole kept form is where the status is not success */
  kept: Json | undefined;
  folded: string | RegExp;
}

function check(tool: string, result: ToolResult, expected: Expected): void {
  const kept = keptForm(result, HANDLE, formsOf(tool));
  const form = kept === undefined ? undefined : (JSON.parse(kept) as Record<string, Json>);
  assert.deepEqual(result.status === "success" ? form?.data : form, expected.kept);
  if (form) assert.match(kept ?? "", /^\{"status":"\w+","data":\{/);
  const folded = foldedForm(result, HANDLE, formsOf(tool));
  if (typeof expected.folded === "string") assert.equal(folded, expected.folded);
  else assert.match(folded, expected.folded);
}

const roots = {
  app: {
    "a.ts": "one\ntwo\nthree\n",
    "long.txt": numbered(1_842),
    "hits.txt": numbered(90, line => `hit ${line}`),
    ...Object.fromEntries(Array.from({ length: 14 }, (_, index) => [`src/f${index + 10}.ts`, "x\n"])),
  },
};

async function run(tool: string, input: Json, shell: ShellScript = {}): Promise<ToolResult> {
  const harness = new Harness(roots, { shell: { "*": shell } });
  if (tool === "Edit" || tool === "Write") await harness.call("Read", { file_path: "a.ts" });
  const { performed } = await harness.call(tool, input);
  assert.ok(performed, "the call succeeded");
  return performed.result;
}

const range = (count: number, make: (at: number) => string, from = 1) =>
  Array.from({ length: count }, (_, index) => make(index + from));

describe("kept and folded: the table", () => {
  it("LS", async () =>
    check("LS", await run("LS", { path: "src" }), {
      kept: {
        ...{ directory: "src", files: 14, directories: 0, total: 14 },
        first: range(10, at => `f${at}.ts`, 10),
        left: `… 4 more entries, ${HANDLE}`,
      },
      folded: `[folded] src: 14 entries · ${HANDLE}`,
    }));

  it("Glob", async () =>
    check("Glob", await run("Glob", { pattern: "src/*.ts" }), {
      kept: {
        ...{ pattern: "src/*.ts", hits: 14 },
        first: range(10, at => `src/f${24 - at}.ts`),
        left: `… 4 more files, ${HANDLE}`,
      },
      folded: `[folded] src/*.ts: 14 files · ${HANDLE}`,
    }));

  it("Grep", async () => {
    check("Grep", await run("Grep", { pattern: "hit" }), {
      kept: {
        ...{ pattern: "hit", hits: 90, files: 1 },
        first: range(5, at => `hits.txt:${at}: hit ${at}`),
        left: `… 85 more hits, ${HANDLE}`,
      },
      folded: `[folded] hit: 90 hits in 1 file · ${HANDLE}`,
    });
    check("Grep", await run("Grep", { pattern: "x", glob: "*.ts", output_mode: "files_with_matches" }), {
      kept: {
        ...{ pattern: "x", hits: 14, files: 14 },
        first: range(5, at => `src/f${at}.ts`, 10),
        left: `… 9 more files, ${HANDLE}`,
      },
      folded: /^\[folded\] x: 14 hits in 14 files/,
    });
  });

  it("Read: the lines of the range, 500 at most, and the version", async () => {
    const result = await run("Read", { file_path: "long.txt", offset: 101, limit: 700 });
    const stamp = (result.data as { stamp: { sha256: string } }).stamp.sha256.slice(0, 8);
    check("Read", result, {
      kept: {
        ...{ path: "long.txt", unit: "line", first: 101, last: 800, total: 1842, stamp },
        lines: range(500, at => `${at}\tline ${at}`, 101).join("\n"),
        left: `… 200 more lines, ${HANDLE}`,
        truncated: true,
      },
      folded: `[folded] long.txt: 101–800 of 1842 · ${HANDLE}`,
    });
    const short = await run("Read", { file_path: "a.ts" });
    assert.equal(compressResult(short, HANDLE, formsOf("Read")).kept, undefined, "JSON would only be longer");
  });

  it("Edit of several places", async () => {
    const edits = [
      { old_string: "one", new_string: "1" },
      { old_string: "three", new_string: "3" },
    ];
    const result = await run("Edit", { file_path: "a.ts", edits });
    check("Edit", result, {
      kept: {
        ...{ path: "a.ts", action: "edited", lines: 3, ranges: ["1", "3"], added: 2, removed: 2 },
        applied: true,
      },
      folded: `[folded] a.ts: 1 +2 −2 · ${HANDLE}`,
    });
    const many = { ...result, data: { ...(result.data as object), changedOnSave: true, saved: false } };
    check("Edit", many, {
      kept: {
        ...{ path: "a.ts", action: "edited", lines: 3, ranges: ["1", "3"], added: 2, removed: 2 },
        saved: false,
        left: `… what changed when it was saved, ${HANDLE}`,
        applied: true,
      },
      folded: /^\[folded\] a\.ts: 1 \+2 −2/,
    });
  });

  it("Write: what it did; what was written stands in the call", async () => {
    check("Write", await run("Write", { file_path: "new/b.ts", content: numbered(60) }), {
      kept: {
        ...{ path: "new/b.ts", action: "created", lines: 60, ranges: ["1-60"], added: 60, removed: 0 },
        applied: true,
      },
      folded: `[folded] new/b.ts: created +60 −0 · ${HANDLE}`,
    });
    const over = await run("Write", { file_path: "a.ts", content: "one\n2\nthree\n" });
    check("Write", over, {
      kept: {
        ...{ path: "a.ts", action: "overwritten", lines: 3, ranges: ["2"], added: 1, removed: 1 },
        applied: true,
      },
      folded: `[folded] a.ts: overwritten +1 −1 · ${HANDLE}`,
    });
    assert.match(over.text, /^Overwrote a\.ts: line 2/);
    assert.match(over.digest, /\(overwritten\)/);
  });

  it("problems: the first of a list, and those that are new since an edit", async () => {
    const first = range(14, at => `src/f${at}.ts:1:1 error e`, 10);
    const counts = { path: "src", errors: 14, warnings: 3, files: 14 };
    const data = { ...counts, total: 17, listed: 14, first };
    const result = { status: "success" as const, data, text: first.join("\n"), digest: "" };
    check("Diagnostics", result, {
      kept: { ...counts, first: first.slice(0, 10), left: `… 4 more problems, ${HANDLE}` },
      folded: `[folded] src: 17 problems · ${HANDLE}`,
    });
    const since = { new: 1, fixed: 0, first: ["error 3:1 bad"] };
    for (const tool of ["Edit", "Write"]) {
      const edited = { ...result, data: { path: "a.ts", diagnostics: since } };
      assert.match(keptForm(edited, HANDLE, formsOf(tool)) ?? "", /"newProblems":\["error 3:1 bad"\]/);
      const unknown = { ...result, data: { path: "a.ts", diagnostics: "unknown" } };
      assert.doesNotMatch(keptForm(unknown, HANDLE, formsOf(tool)) ?? "", /newProblems/);
    }
  });

  it("Bash: the ends of both streams and the lines that matter", async () => {
    const out = numbered(1_999, line => (line === 1_000 ? "FAIL src/math.test.ts" : `ok ${line}`));
    const err = numbered(25, line => `note ${line}`);
    const shell: ShellScript = {
      output: [
        ["stdout", out],
        ["stderr", err],
      ],
      ...{ exitCode: 1, durationMs: 2_300 },
    };
    check("Bash", await run("Bash", { command: "npm test" }, shell), {
      kept: {
        status: "error",
        data: {
          ...{ command: "npm test", exitCode: 1, durationMs: 2300, stdoutLines: 1999, stderrLines: 25 },
          stdout: [
            ...range(5, at => `ok ${at}`),
            `… 1,984 more lines, ${HANDLE}`,
            ...range(10, at => `ok ${at}`, 1_990),
          ],
          notable: ["1000: FAIL src/math.test.ts"],
          stderr: [`… 5 more lines, ${HANDLE}`, ...Array.from({ length: 20 }, (_, at) => `note ${at + 6}`)],
        },
        error: { code: "EXIT", message: "Exit code 1 after 2.3 s." },
      },
      folded: `[folded] npm test: exit 1, 2,024 lines · FAIL src/math.test.ts · ${HANDLE}`,
    });
  });

  it("Bash: where later commands run", async () =>
    check("Bash", await run("Bash", { command: "cd src" }, { cwd: "/ws/app/src" }), {
      kept: {
        ...{ command: "cd src", exitCode: 0, durationMs: 100, stdoutLines: 0, stderrLines: 0 },
        ...{ stdout: [], cwd: "/ws/app/src" },
      },
      folded: `[folded] cd src: exit 0, 0 lines · ${HANDLE}`,
    }));

  it("TodoWrite: the recap", async () => {
    const todos = [{ content: "a", status: "in_progress" }];
    check("TodoWrite", await run("TodoWrite", { todos }), {
      kept: undefined,
      folded: `[folded] 0 of 1 done · ${HANDLE}`,
    });
  });

  it("any other: head and tail, with counts", () => {
    const text = `${"h".repeat(1_500)}\n${"t".repeat(1_499)}`;
    const result = { status: "success" as const, data: {}, text, digest: "" };
    check("server:tool", result, {
      kept: {
        ...{ characters: 3_000, lines: 2, head: "h".repeat(1_000) },
        left: `… 1,000 more characters, ${HANDLE}`,
        tail: "t".repeat(1_000),
      },
      folded: `[folded] 3,000 characters · ${HANDLE}`,
    });
    check("server:tool", { ...result, text: "short" }, { kept: undefined, folded: /5 characters/ });
  });

  it("an error stays whole; flags stay whatever the tool", () => {
    const error = { code: "CONFLICT" as const, message: `${"why ".repeat(500)}end` };
    const data = { path: "a.ts", conflict: true, modifiedExternally: true, other: 1 };
    const result = { status: "error" as const, data, text: "x", digest: "", error };
    check("Edit", result, {
      kept: {
        status: "error",
        data: { path: "a.ts", conflict: true, modifiedExternally: true },
        error,
      },
      folded: `[folded] a.ts · CONFLICT: ${"why ".repeat(11).trim()}… · ${HANDLE}`,
    });
  });

  it("a private key that a cut would leave half is never taken out of the redacted whole", () => {
    const lines = ["-----BEGIN PRIVATE KEY-----", "MIIEvQ"];
    const data = { command: "cat key", exitCode: 0, stdoutFirst: lines, stdoutLast: [], stdoutLeft: 90 };
    const text = `[secret:private-key:0123456789ab]${"\nmore".repeat(200)}`;
    const result = { status: "success" as const, data, text, digest: "" };
    assert.equal(compressResult(result, HANDLE, formsOf("Bash")).kept, undefined);
  });
});

const longInput = "x".repeat(5_000);
const place = () => "see a.ts";

describe("a settled input", () => {
  it("has the beginning of long texts, wherever they stand, and says where the rest is", () => {
    const short = `${"x".repeat(2_001)}\n[… 2,999 more characters, left out here: see a.ts]`;
    assert.deepEqual(settledInput({ file_path: "a.ts", content: longInput }, place), {
      file_path: "a.ts",
      content: short,
    });
    assert.deepEqual(
      settledInput({ edits: [{ old_string: "a", new_string: longInput }], all: true, at: null }, place),
      {
        edits: [{ old_string: "a", new_string: short }],
        all: true,
        at: null,
      },
    );
  });

  it("is none where nothing is long", () => {
    for (const input of [{ command: "x".repeat(1_200) }, "short", null]) {
      assert.equal(settledInput(input, place), undefined);
    }
    assert.ok(String(settledInput("字".repeat(1_000), place)).length < 800, "counted in tokens");
  });

  it("has 40 lines of what has more, and all where a note would be as long", () => {
    const lines = Array.from({ length: 60 }, (_, at) => `const line${at} = "${"y".repeat(20)}";`);
    assert.equal(String(settledInput(lines.join("\n"), place)).split("\n").length, 41);
    assert.equal(settledInput("x".repeat(2_100), place), undefined);
  });

  it("cuts no sign in two", () => {
    const text = `${"x".repeat(2_000)}😀${longInput}`;
    assert.match(String(settledInput(text, place)), /^x{2000}\n\[… 5,002 more characters/);
  });

  it("is known by its mark", () => {
    assert.equal(
      leftOutMark(`a ${String(settledInput(longInput, place))}`),
      "[… 2,999 more characters, left out here: ",
    );
    assert.equal(leftOutMark("[… 12 more lines, left out]"), undefined);
  });
});
