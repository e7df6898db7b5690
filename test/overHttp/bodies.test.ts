/** The bodies that left are made again, byte for byte, where their form can be had; one that is another is named. */
import assert from "node:assert/strict";
import { bodiesAsSent } from "../../src/cli/bodies";
import { verifySession } from "../../src/core/verify/verify";
import { nodeHash } from "../../src/node/system";
import type { Manifest } from "../../src/shared/manifest";
import { settingsSchema } from "../../src/shared/settings";
import { endWorlds, proven, type World, world } from "./world";

afterEach(endWorlds);

const read = { calls: [{ name: "Read", input: { file_path: "a.txt" } }], text: "I look. 文字" };

async function session(settings: Parameters<typeof world>[0] = {}): Promise<World> {
  const at = await world({ files: { "a.txt": "one\n" }, ...settings });
  at.script.play(read, { text: "It says one." }, read, { text: "Still one." });
  for (const text of ["What does it say?", "And now?"]) {
    await at.session.submit(text);
    await at.session.idle();
  }
  return at;
}

/** As another process finds it. */
const compared = async ({ session: { history } }: World, settings: object = {}) => {
  const source = { get: () => settingsSchema.parse(settings) };
  return verifySession(history.files, nodeHash, { bodyAsSent: bodiesAsSent(source, nodeHash) });
};

const manifestsOf = async ({ session: { history } }: World): Promise<Manifest[]> =>
  ((await history.files.read("requests.jsonl")) ?? "")
    .split("\n")
    .filter(Boolean)
    .map(line => JSON.parse(line));

describe("bodies made again", () => {
  it("are those that left, of Chat Completions, whatever server is set by now", async () => {
    const at = await session();
    assert.equal((await proven(at)).bodies, 4);
    const { bodies, defects } = await compared(at);
    assert.deepEqual([bodies, defects], [4, []]);
  });

  it("with options of their own", async () => {
    const at = await session({ settings: { "model.maxOutputTokens": 2_000, "model.reasoning": "low" } });
    assert.equal((await compared(at)).bodies, 4);
  });

  it("of Responses, where the address is set", async () => {
    const at = await session({ settings: { "model.api": "responses" } });
    assert.equal((await proven(at)).bodies, 4);
  });

  it("are not made over the text protocol, and nobody says so", async () => {
    const at = await session({ settings: { "model.protocol": "react" } });
    assert.equal((await compared(at)).bodies, 0);
  });

  it("are not made of a form that is not known", async () => {
    const at = await session();
    const { files } = at.session.history;
    const other = (await files.read("requests.jsonl"))?.replaceAll(/"bodyForm":"[0-9a-f]+"/g, '"bodyForm":"0"');
    await files.replace("requests.jsonl", other ?? "");
    assert.equal((await compared(at)).bodies, 0);
  });

  it("name one whose hash is another", async () => {
    const at = await session();
    const manifests = await manifestsOf(at);
    let previous: string | null = null;
    const lines = manifests.map(({ self: _, ...manifest }, number) => {
      const bodySha256 = number === 2 ? "f".repeat(64) : manifest.bodySha256;
      const fields: Omit<Manifest, "self"> = { ...manifest, bodySha256, previous };
      previous = nodeHash.sha256(JSON.stringify(fields));
      return `${JSON.stringify({ ...fields, self: previous })}\n`;
    });
    await at.session.history.files.replace("requests.jsonl", lines.join(""));
    const { defects, bodies } = await compared(at);
    assert.deepEqual(
      [defects.map(({ kind, request, expected }) => [kind, request, expected]), bodies],
      [[["body", 3, "f".repeat(64)]], 3],
    );
  });
});
