/** Pictures that a provider would refuse, over the wire of each: made smaller, or named; the conversation and its facts stay. */

import assert from "node:assert/strict";
import { builtPictureWorker } from "../../scripts/lib/product.mjs";
import { NodePictures } from "../../src/node/pictures/nodePictures";
import { pictureFacts } from "../../src/shared/pictures";
import { pluck } from "../fakes/pluck";
import { png } from "../fakes/png";
import { soak } from "../fakes/soak";
import { temporaryFolder } from "../fakes/temporary";
import { type Kind, kinds } from "../models/kinds";
import type { WireAnswer } from "../wire/anthropicServer";
import { endWorlds, proven, records, say, world } from "./world";

/** base64 of the pictures in a body, whatever the interface */
const picturesIn = (body: string): Buffer[] =>
  [...body.matchAll(/"(?:data:image\/[a-z]+;base64,)?((?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR)[A-Za-z0-9+/=]+)"/g)].map(
    ([, data]) => Buffer.from(data ?? "", "base64"),
  );

/** What every provider refuses. */
function complaint(body: string): string | undefined {
  const pictures = picturesIn(body);
  for (const [at, picture] of pictures.entries()) {
    const facts = pictureFacts(picture);
    if (!facts) return `messages.${at}.content.1.image.source.base64: Could not process image`;
    if (picture.toString("base64").length > 5 * 1024 * 1024)
      return "image exceeds 5 MB maximum: 6189756 bytes > 5242880 bytes";
    const side = Math.max(facts.width, facts.height);
    if (side > (pictures.length > 20 ? 2000 : 8000)) return "image dimensions exceed max allowed size";
  }
  return undefined;
}

const makeFiles = (): Record<string, Buffer> => ({
  "ok.png": png(30, 20),
  "many-bytes.png": png(1300, 1200, true),
  "wide.png": png(9000, 30),
  "cut.png": png(400, 300, true).subarray(0, 9000),
  "head.png": png(40, 30).subarray(0, 33),
  ...Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`shot${at}.png`, png(2400 + at, 40)])),
});
const read = (...paths: string[]): WireAnswer => ({
  calls: paths.map((file_path, at) => ({
    id: `c${paths[0]?.replace(/\W/g, "")}${at}`,
    name: "Read",
    input: { file_path },
  })),
});

async function converse(kind: Kind, files: Record<string, Buffer>, pictures: NodePictures | undefined) {
  const bodies: string[] = [];
  const refused: string[] = [];
  // Each takes a thread: one provider with many is enough.
  const many = pictures === undefined || kind.name === "anthropic" ? 21 : 2;
  const shots = Array.from({ length: many }, (_, at) => `shot${at}.png`);
  const script: WireAnswer[] = [
    ...["ok.png", "many-bytes.png", "wide.png", "cut.png", "head.png"].flatMap(path => [
      read(path),
      { text: `Seen ${path}.` },
    ]),
    read(...shots),
    { text: "Seen all." },
  ];
  const server = await kind.start((number, body) => {
    const text = JSON.stringify(body);
    bodies.push(text);
    const words = complaint(text);
    if (words !== undefined) {
      refused.push(words);
      return { refuse: { status: 400, body: kind.error(400, "invalid_request_error", words) } };
    }
    return script[number] ?? { text: `Noted ${number}.` };
  });
  const at = await world({
    key: kind.key,
    files,
    provider: server,
    settings: kind.settings,
    ...(pictures && { ports: { pictures } }),
  });
  for (let turn = 1; turn <= 8; turn++) {
    await say(at, `Fact ${turn} is plover-${turn}.`);
  }
  await proven(at);
  return { at, bodies, last: bodies.at(-1) ?? "", refused };
}

describe("over HTTP: pictures", function () {
  this.timeout(120_000);
  afterEach(endWorlds);
  let worker: NodePictures;
  let files: Record<string, Buffer>;
  before(async () => {
    files = makeFiles();
    worker = new NodePictures(await builtPictureWorker(temporaryFolder("pictures")));
  });

  for (const kind of kinds) {
    for (const how of ["made smaller", "with nothing that makes them smaller"] as const) {
      // What makes them smaller is the same for all: of one wire in each run, of the others in the soak.
      const isFirst = kind === kinds[0] || how !== "made smaller";
      const test = isFirst ? it : (...made: Parameters<typeof it>) => soak("large", () => void it(...made));
      test(`${kind.name}: of too many bytes, too wide, cut off, 21 of them; ${how}`, async () => {
        const { at, bodies, last, refused } = await converse(kind, files, how === "made smaller" ? worker : undefined);
        assert.deepEqual(pluck(records(at, "turnEnd"), "reason"), Array(8).fill("done"));
        assert.deepEqual(records(at, "compaction"), []);
        for (let turn = 1; turn <= 8; turn++) assert.ok(last.includes(`plover-${turn}.`), `fact ${turn}`);
        for (const name of ["cut", "head"])
          assert.match(
            bodies.join("\n"),
            new RegExp(`${name}\\.png \\(image/png, [\\d.]+ K?B\\) is cut off or broken`),
          );
        if (how === "made smaller") {
          assert.equal(Math.max(...bodies.map(body => picturesIn(body).length)), kind.name === "anthropic" ? 21 : 2);
          assert.match(bodies.join("\n"), /wide\.png was made smaller: 9000 × 30 pixels, sent 2000 × 7/);
          assert.deepEqual(refused, [], "none was refused");
        } else assert.ok(bodies.some(body => body.includes("left out, since the model's server refused it")));
      });
    }
  }
});
