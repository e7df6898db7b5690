import assert from "node:assert/strict";
import { resolveRecordedFile } from "../../../../src/core/changes/timeline/timeline";
import { FileError, type FileRef, type Files } from "../../../../src/core/ground/ports";

/** Finds what is in the table, and says so of everything else. */
const files = (table: Record<string, string>): Files =>
  ({
    resolve: async (input: string): Promise<FileRef> => {
      const uri = table[input];
      if (uri === undefined) throw new FileError("IO", "no");
      return { uri, absolute: input, path: input, relative: input, inside: true };
    },
  }) as Partial<Files> as Files;

describe("the file that a record names", () => {
  const check = (name: string, table: Record<string, string>, uri: string, found: string | undefined) =>
    it(name, async () => {
      const ref = resolveRecordedFile(files(table), { uri, path: "src/a.ts" });
      if (found === undefined)
        await assert.rejects(ref, { name: "FileError", code: "NOT_FOUND", message: /^src\/a\.ts is not where/ });
      else assert.equal((await ref).absolute, found);
    });
  const uri = "file:///ws/app/src/a%20b.ts";
  check("by its path", { "src/a.ts": uri }, uri, "src/a.ts");
  check(
    "by its URI, where the path leads elsewhere now",
    { "src/a.ts": "file:///other", "/ws/app/src/a b.ts": uri },
    uri,
    "/ws/app/src/a b.ts",
  );
  check("on Windows", { "c:/ws/a.ts": "file:///c%3A/ws/a.ts" }, "file:///c%3A/ws/a.ts", "c:/ws/a.ts");
  check(
    "on a server",
    { "//host/share/a.ts": "file://host/share/a.ts" },
    "file://host/share/a.ts",
    "//host/share/a.ts",
  );
  check("that was never saved", { "untitled:a.ts": "untitled:a.ts" }, "untitled:a.ts", "untitled:a.ts");
  check("not a file that only has the path", { "src/a.ts": "file:///other" }, uri, undefined);
  check("not what is no URI", { "src/a.ts": "file:///other" }, "file:%", undefined);
});
