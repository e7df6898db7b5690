/** Pictures of every kind through every way in: Read, a result of an MCP server, and what one attaches. None bricks a conversation. */
import assert from "node:assert/strict";
import { PhotonImage } from "@silvia-odwyer/photon-node";
import { builtPictureWorker } from "../../scripts/lib/product.mjs";
import type { McpOffers } from "../../src/core/ground/ports";
import type { Image, Tool } from "../../src/core/tool/tool";
import { foreignTool } from "../../src/mcp/foreignTool";
import { blockText, toOutcome } from "../../src/mcp/tools/callResult";
import { nameTools } from "../../src/mcp/tools/definition";
import { NodePictures } from "../../src/node/pictures/nodePictures";
import { pictureFacts } from "../../src/shared/pictures";
import { png, pngChunk } from "../fakes/png";
import { temporaryFolder } from "../fakes/temporary";
import { endWorlds, newest, proven, records, say, type World, world } from "./world";

const gif = Buffer.from("R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=", "base64");
const jpeg = () => Buffer.from(PhotonImage.new_from_byteslice(png(64, 48)).get_bytes_jpeg(80));
const box = (type: string, brand: string) =>
  Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from(`${type}${brand}`), Buffer.alloc(500, 1)]);
/** A whole PNG with as much behind its pixels as is wanted. */
const padded = (bytes: number) => {
  const whole = png(30, 20);
  const parts = Math.ceil(bytes / 1_000_000);
  const chunks = Array.from({ length: parts }, () => pngChunk("teXt", Buffer.alloc(1_000_000, 65)));
  return Buffer.concat([whole.subarray(0, 33), ...chunks, whole.subarray(33)]);
};

interface Odd {
  name: string;
  mime: string;
  bytes: () => Buffer;
  /** the model sees it; else it is told that it does not, and why */
  isSeen: boolean;
  /** what Read says, where that is something else */
  says?: RegExp;
}

const odd: readonly Odd[] = [
  {
    name: "animated.gif",
    mime: "image/gif",
    bytes: () => Buffer.concat([gif.subarray(0, -1), gif.subarray(19)]),
    isSeen: true,
  },
  {
    name: "none.png",
    mime: "image/png",
    bytes: () => Buffer.from("\u0000\u0001no picture at all".repeat(20)),
    isSeen: false,
    says: /binary file \(unknown type/,
  },
  { name: "photo.heic", mime: "image/heic", bytes: () => box("ftyp", "heic"), isSeen: false },
  {
    name: "drawing.svg",
    mime: "image/svg+xml",
    bytes: () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><text>plan</text></svg>\n'),
    isSeen: false,
    says: /<text>plan/,
  },
  { name: "jpeg.png", mime: "image/png", bytes: jpeg, isSeen: true },
  { name: "bare", mime: "application/octet-stream", bytes: () => png(30, 20), isSeen: true },
  { name: "eleven-mb.png", mime: "image/png", bytes: () => padded(11_000_000), isSeen: true },
  {
    name: "forty-mb.png",
    mime: "image/png",
    bytes: () => padded(40_000_000),
    isSeen: false,
    says: /has 38 MB.*Make a smaller copy of it/,
  },
  {
    name: "cut.png",
    mime: "image/png",
    bytes: () => png(400, 300, true).subarray(0, 5000),
    isSeen: false,
    says: /is cut off or broken, so it cannot be shown/,
  },
];

const pictureIn = (body: string): Buffer[] =>
  [...body.matchAll(/data:(image\/[a-z+]+);base64,([A-Za-z0-9+/=]*)/g)].map(([, mime, data = ""]) => {
    const bytes = Buffer.from(data, "base64");
    assert.equal(pictureFacts(bytes)?.mediaType, mime, "what goes out is a picture, and called what it is");
    return bytes;
  });

/** Gives the picture back, as a picture or as a resource. */
function server(way: "image" | "resource", { mime, bytes }: Odd): Tool[] {
  const [named] = nameTools("shots", [{ name: "take", description: "Takes one.", inputSchema: { type: "object" } }]);
  assert.ok(named);
  const data = bytes().toString("base64");
  const content =
    way === "image"
      ? [{ type: "image" as const, data, mimeType: mime }]
      : [{ type: "resource" as const, resource: { uri: "shot://1", blob: data, mimeType: mime } }];
  const source = {
    ...{ name: "shots", hash: "h", agreement: () => undefined, agree: async () => undefined },
    ...{ calledAs: () => undefined, newest: <T>(read: T) => read, ready: async () => named },
    call: async () => toOutcome("shots:take", { content }),
  };
  return [foreignTool(source as never, named)];
}

/** The same as a resource that a message mentions. */
const offering = ({ mime, bytes }: Odd): McpOffers => ({
  refresh: async () => undefined,
  offers: () => [{ server: "shots", resources: [{ uri: "shot://1", name: "shot" }], prompts: [] }] as never,
  prompt: () => Promise.reject(new Error("there is none")),
  async resource(_, uri) {
    const images: Image[] = [];
    const resource = { uri, blob: bytes().toString("base64"), mimeType: mime };
    return { title: "Shot", text: blockText({ type: "resource", resource }, uri, images), images };
  },
});

async function look(at: World, call: { name: string; input: object } | undefined): Promise<string> {
  if (call) await say(at, "Look. The fact is plover-1.", { calls: [call as never] }, { text: "Seen." });
  const body = JSON.stringify(at.script.asked.at(-1)?.body);
  await say(at, "And now?", { text: "Still here." });
  assert.equal(newest(at, "turnEnd").reason, "done");
  assert.deepEqual(records(at, "compaction"), []);
  await proven(at);
  return body;
}

describe("over HTTP: odd pictures", function () {
  this.timeout(120_000);
  afterEach(endWorlds);
  let pictures: NodePictures;
  before(async () => {
    pictures = new NodePictures(await builtPictureWorker(temporaryFolder("pictures")));
  });

  for (const each of odd) {
    const { name, bytes, isSeen, says } = each;
    const told = isSeen ? "seen" : "named";
    it(`${name}, by Read: ${told}`, async () => {
      const at = await world({ files: { [name]: bytes() }, ports: { pictures } });
      const body = await look(at, { name: "Read", input: { file_path: name } });
      assert.equal(pictureIn(body).length, isSeen ? 1 : 0, newest(at, "result").digest);
      assert.match(body, says ?? (isSeen ? /The picture follows as a message/ : /make a copy of it as PNG/));
    });

    it(`${name}, attached by its address: ${told}`, async () => {
      const at = await world({ ports: { pictures, offers: offering(each) } });
      await say(at, "Look at @shots:shot://1 please. The fact is plover-1.", { text: "Seen." });
      const body = await look(at, undefined);
      assert.equal(pictureIn(body).length, isSeen ? 1 : 0);
      assert.match(body, isSeen ? /\[Image attached\.\]/ : /left out: it is|which is too large/);
    });

    for (const way of ["image", "resource"] as const) {
      it(`${name}, as ${way} of an MCP server: ${told}`, async () => {
        const foreignTools = { refresh: async () => undefined, list: () => server(way, each) };
        const at = await world({ ports: { pictures, foreignTools } });
        const body = await look(at, { name: "mcp__shots__take", input: {} });
        assert.equal(pictureIn(body).length, isSeen ? 1 : 0);
        assert.match(body, isSeen ? /\[Image attached\.\]/ : /left out: it is|which is too large/);
        assert.ok(isSeen || !body.includes("Image attached"));
      });
    }
  }
});
