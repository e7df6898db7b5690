/** The bodies that left are made again, byte for byte, where their form can be had; one that is another is named. */
import assert from "node:assert/strict";
import { bodiesAsSent } from "../../src/cli/bodies";
import { verifySession } from "../../src/core/proof/verify";
import { nodeHash } from "../../src/node/system";
import type { Manifest } from "../../src/shared/manifest";
import { settingsSchema } from "../../src/shared/settings";
import { KEY, startAnthropicServer, type WireAnswer } from "../wire/anthropicServer";
import { startBedrockServer } from "../wire/bedrockServer";
import { GOOGLE_KEY, startGoogleServer } from "../wire/googleServer";
import { endWorlds, proven, reopened, type World, words, world } from "./world";

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

/** Each line as its writer would have ended it. */
async function rewritten(
  { session }: World,
  manifests: readonly Manifest[],
  change: (manifest: Manifest, number: number) => Manifest,
): Promise<void> {
  let previous: string | null = null;
  const lines = manifests.map((manifest, number) => {
    const { self: _, ...changed } = change(manifest, number);
    const fields: Omit<Manifest, "self"> = { ...changed, previous };
    previous = nodeHash.sha256(JSON.stringify(fields));
    return `${JSON.stringify({ ...fields, self: previous })}\n`;
  });
  await session.history.files.replace("requests.jsonl", lines.join(""));
}

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
    await rewritten(at, await manifestsOf(at), (manifest, number) =>
      number === 2 ? { ...manifest, bodySha256: "f".repeat(64) } : manifest,
    );
    const { defects, bodies } = await compared(at);
    assert.deepEqual(
      [defects.map(({ kind, request, expected }) => [kind, request, expected]), bodies],
      [[["body", 3, "f".repeat(64)]], 3],
    );
  });
});

const PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

interface Side {
  name: string;
  key: string;
  provider: "anthropic" | "google" | "bedrock";
  start(answer: () => WireAnswer): Promise<{ url: string; refused: unknown[]; close(): Promise<void> }>;
}

const anthropic = {
  key: KEY,
  provider: "anthropic",
  start: answer => startAnthropicServer({ answer }),
} as const satisfies Omit<Side, "name">;
const bedrock = { key: KEY, provider: "bedrock", start: startBedrockServer } as const satisfies Omit<Side, "name">;
const sides: readonly Side[] = [
  { ...anthropic, name: "claude-opus-5-5" },
  { ...anthropic, name: "claude-sonnet-4-5" },
  { name: "gemini-3-pro", key: GOOGLE_KEY, provider: "google", start: startGoogleServer },
  { ...bedrock, name: "us.anthropic.claude-opus-5-5-v1:0" },
  { ...bedrock, name: "amazon.nova-pro-v1:0" },
  { ...bedrock, name: "meta.llama4-maverick-17b-instruct-v1:0" },
];

/** Thoughts, calls side by side, a picture, folds, a compaction and its undo; read again by another window. */
async function converse({ name, key, provider, start }: Side, more: object = {}): Promise<World> {
  let said = 0;
  // That server binds what any model thought, which those did not.
  const thinking = () => (/sonnet-4/.test(name) ? {} : { thinking: `Thought ${said}.` });
  const server = await start(() => {
    said += 1;
    const call = (file_path: string, at: number) => ({ id: `toolu_${said}_${at}`, name: "Read", input: { file_path } });
    const files = said === 1 ? ["picture.png", "a.txt", "b.txt"] : [`${said}.txt`];
    return said % 2 === 1 && said < 12
      ? { ...thinking(), text: `Step ${said}. 文字`, calls: files.map(call) }
      : { ...thinking(), text: `Answer ${said}.` };
  });
  const texts = Array.from({ length: 12 }, (_, at) => [`${at}.txt`, words(1500, `${at}`)]);
  const at = await world({
    key,
    files: {
      "a.txt": "one\n",
      "b.txt": words(2000),
      "picture.png": Buffer.from(PICTURE, "base64"),
      ...Object.fromEntries(texts),
    },
    settings: {
      ...{ "model.provider": provider, "model.baseUrl": server.url, "model.name": name },
      ...{ "model.contextWindow": 30_000, "history.keepRounds": 1, ...more },
    },
  });
  for (let turn = 1; turn <= 7; turn++) {
    await at.session.submit(words(500, `Question ${turn}.`));
    await at.session.idle();
  }
  await at.session.compaction.compact();
  await at.session.submit("And now?");
  await at.session.idle();
  await at.session.compaction.undo();
  const again = await reopened(at);
  await again.session.submit("Still there?");
  await again.session.idle();
  assert.deepEqual(server.refused, []);
  await server.close();
  return again;
}

describe("bodies made again, of interfaces of their own", () => {
  for (const side of sides)
    it(`are those that left, of ${side.name}, and a byte that is another is found`, async () => {
      const at = await converse(side);
      const { bodies, requests, breaks } = await proven(at);
      assert.equal(bodies, requests);
      assert.ok((breaks.fold ?? 0) > 0 && (breaks.compaction ?? 0) > 0, JSON.stringify(breaks));
      await flippedByteIsFound(at);
    });

  it("with options of their own", async () => {
    for (const side of sides.filter(({ name }) => /opus|gemini/.test(name))) {
      const { bodies, requests } = await proven(
        await converse(side, { "model.reasoning": "high", "model.maxOutputTokens": 3_000 }),
      );
      assert.equal(bodies, requests, side.name);
    }
  });

  it("of a model that marks nothing of its answers, wherever it was asked", async () => {
    const at = await world({
      key: KEY,
      settings: { "model.provider": "anthropic", "model.name": "claude-sonnet-4-5" },
      fetch: toNobody,
    });
    await at.session.submit("What does it say?");
    await at.session.idle();
    const { bodies, requests } = await compared(at, { "model.provider": "google", "model.name": "gemini-3-pro" });
    assert.equal(bodies, requests);
    assert.ok(requests > 0);
  });

  it("name one whose marks stood elsewhere", async () => {
    const at = await converse(sides[0] as Side);
    const manifests = await manifestsOf(at);
    const number = manifests.findLastIndex(({ purpose }) => purpose === undefined);
    await rewritten(at, manifests, (manifest, index) =>
      index === number ? { ...manifest, cacheMarks: manifest.cacheMarks?.slice(1) } : manifest,
    );
    const { defects } = await compared(at, at.ports.settings.get());
    assert.deepEqual(
      defects.map(({ kind, request }) => [kind, request]),
      [["body", number + 1]],
    );
  });
});

const toNobody: typeof fetch = async () => new Response("{}", { status: 400 });

async function flippedByteIsFound(at: World): Promise<void> {
  const { files } = at.session.history;
  const log = (await files.read("history.jsonl")) ?? "";
  const place = log.lastIndexOf("Still there?");
  await files.replace("history.jsonl", `${log.slice(0, place)}Ttill there?${log.slice(place + 12)}`);
  const { defects } = await compared(at, at.ports.settings.get());
  assert.ok(
    defects.some(({ kind }) => kind === "segment"),
    JSON.stringify(defects),
  );
  await files.replace("history.jsonl", log);
}
