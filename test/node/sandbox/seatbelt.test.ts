/** The profile for macOS as text: nobody runs it here. */
import assert from "node:assert/strict";
import { seatbeltProfile } from "../../../src/node/sandbox/seatbelt";

const mounts = [
  { kind: "write", path: "/Users/a/ws" },
  { kind: "read", path: "/Users/a/ws/.git/hooks" },
  { kind: "hideFolder", path: "/Users/a/.ssh" },
  { kind: "hideFile", path: '/Users/a/ws/a "b"\\.env' },
] as const;
const forbidden = ["/Users/a/ws/.vscode"];
const profile = (port?: number) => seatbeltProfile({ view: { mounts: [...mounts], forbidden }, port });

describe("the sandbox of macOS", () => {
  it("denies what is not allowed, writes in the workspace but for what is protected, and reads no secrets", () => {
    const text = profile();
    const at = (part: string) => {
      assert.ok(text.includes(part), `${part} in\n${text}`);
      return text.indexOf(part);
    };
    assert.ok(text.startsWith("(version 1)\n(deny default)\n"));
    const order = [
      '(allow file-write* (subpath "/Users/a/ws"))',
      '(deny file-write* (subpath "/Users/a/ws/.git/hooks") (subpath "/Users/a/ws/.vscode"))',
      '(deny file-write-unlink (literal "/Users/a/ws/.git") (literal "/Users/a/ws"))',
      '(deny file-read* file-write* (subpath "/Users/a/.ssh") (subpath "/Users/a/ws/a \\"b\\"\\\\.env"))',
    ].map(at);
    assert.deepEqual(
      order,
      [...order].sort((a, b) => a - b),
      "later rules win",
    );
    assert.equal(text.match(/\(/g)?.length, text.match(/\)/g)?.length);
  });

  it("reaches no network but the gate's port", () => {
    assert.doesNotMatch(profile(), /network/);
    assert.match(profile(4321), /\(allow network-outbound \(remote ip "localhost:4321"\)\)$/);
    assert.equal(profile(4321).match(/network/g)?.length, 1);
  });
});
