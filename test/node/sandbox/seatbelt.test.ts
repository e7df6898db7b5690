/** The profile for macOS as text: nobody runs it here. */
import assert from "node:assert/strict";
import { seatbeltProfile } from "../../../src/node/sandbox/seatbelt";

const mounts = [
  { kind: "empty", path: "/Users" },
  { kind: "read", path: "/Users/a/.cargo", from: "/Users/a/dot/cargo" },
  { kind: "write", path: "/Users/a/ws" },
  { kind: "hideFile", path: "/Users/a/dot/cargo/credentials" },
  { kind: "read", path: "/Users/a/ws/.git/hooks" },
  { kind: "hideFile", path: '/Users/a/ws/a "b"\\.env' },
] as const;
const forbidden = ["/Users/a/ws/.vscode"];
const profile = (port?: number) => seatbeltProfile({ view: { mounts: [...mounts], forbidden }, port });

describe("the sandbox of macOS", () => {
  it("denies what is not allowed, shows of homes what is listed, writes in the workspace but for what is protected", () => {
    const text = profile();
    const at = (part: string) => {
      assert.ok(text.includes(part), `${part} in\n${text}`);
      return text.indexOf(part);
    };
    assert.ok(text.startsWith("(version 1)\n(deny default)\n"));
    const order = [
      '(deny file-read* file-write* (subpath "/Users"))',
      '(allow file-read* (subpath "/Users/a/dot/cargo"))',
      '(allow file-read* file-write* (subpath "/Users/a/ws"))',
      '(deny file-read* file-write* (subpath "/Users/a/dot/cargo/credentials"))',
      '(deny file-write* (subpath "/Users/a/ws/.git/hooks"))',
      '(deny file-read* file-write* (subpath "/Users/a/ws/a \\"b\\"\\\\.env"))',
      '(deny file-write* (subpath "/Users/a/ws/.vscode"))',
      '(deny file-write-unlink (literal "/Users/a") (literal "/Users/a/ws/.git") (literal "/Users/a/ws"))',
    ].map(at);
    assert.deepEqual(
      order,
      [...order].sort((a, b) => a - b),
      "later rules win",
    );
    // Names of folders on the way to what is shown, never what lies in them.
    assert.match(
      text,
      /\(allow file-read-metadata \(literal "\/Users\/a\/dot"\) \(literal "\/Users\/a"\) \(literal "\/Users"\)/,
    );
    assert.equal(text.match(/\(/g)?.length, text.match(/\)/g)?.length);
  });

  it("reaches no network but the gate's port", () => {
    assert.doesNotMatch(profile(), /network/);
    assert.match(profile(4321), /\(allow network-outbound \(remote ip "localhost:4321"\)\)$/);
    assert.equal(profile(4321).match(/network/g)?.length, 1);
  });
});
