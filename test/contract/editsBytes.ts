/** What edits keep of a file's bytes, also where they are merged with what somebody else changed; called from editsContract. */
import assert from "node:assert/strict";
import { assertTold, type EditsBench, edit, path } from "./editsBench";

const text = (value: string, encoding: BufferEncoding = "utf8") => Buffer.from(value, encoding);

export function bytesContract(bench: () => EditsBench): void {
  const keeps = (title: string, read: Uint8Array, now: Uint8Array, after: Uint8Array) => {
    const stands = async () => Buffer.from((await bench().world.bytes(path)) ?? []);
    it(`keeps ${title}, beside what somebody else changed`, async () => {
      const session = await bench().reader(read);
      await bench().world.put(path, now);
      assertTold(await session.call("Edit", edit("old", "nöw\nand more")), "ok", /Since you read the file, it changed/);
      assert.deepEqual(await stands(), Buffer.from(after));
    });

    it(`keeps ${title}, in a conflict`, async () => {
      const session = await bench().reader(now);
      await bench().world.put(path, after);
      assert.equal((await session.call("Edit", edit("old", "other"))).status, "CONFLICT");
      assert.deepEqual(await stands(), Buffer.from(after));
    });
  };

  keeps("CRLF", text("a\r\nb\r\nold\r\n"), text("A\r\nb\r\nold\r\n"), text("A\r\nb\r\nnöw\r\nand more\r\n"));
  keeps(
    "line ends of several kinds",
    text("a\nb\r\nold\r\nc\n"),
    text("A\nb\r\nold\r\nc\n"),
    text("A\nb\r\nnöw\r\nand more\r\nc\n"),
  );
  keeps("a missing final newline", text("a\nb\nold"), text("A\nb\nold"), text("A\nb\nnöw\nand more"));
  keeps("a BOM", text("\uFEFFa\nb\nold\n"), text("\uFEFFA\nb\nold\n"), text("\uFEFFA\nb\nnöw\nand more\n"));
  keeps(
    "UTF-16 LE",
    text("\uFEFFa\nb\nold\n", "utf16le"),
    text("\uFEFFA\nb\nold\n", "utf16le"),
    text("\uFEFFA\nb\nnöw\nand more\n", "utf16le"),
  );
  keeps(
    "UTF-16 BE",
    text("\uFEFFa\nb\nold\n", "utf16le").swap16(),
    text("\uFEFFA\nb\nold\n", "utf16le").swap16(),
    text("\uFEFFA\nb\nnöw\nand more\n", "utf16le").swap16(),
  );

  it("an edit of a file whose line ends somebody changed keeps the new ones", async () => {
    const session = await bench().reader("a\nb\nc\n");
    await bench().world.put(path, "a\r\nb\r\nc\r\n");
    assertTold(await session.call("Edit", edit("b", "B")), "ok", /only its line ends changed/);
    assert.equal(await bench().onDisk(), "a\r\nB\r\nc\r\n");
  });
}
