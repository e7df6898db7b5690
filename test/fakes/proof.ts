/** A session with something of everything in its requests, and a disk to damage. */
import { prefixReuse } from "../../src/core/context/breakCause";
import { requestHash } from "../../src/core/context/compose";
import { spliceSegments } from "../../src/core/context/requestLog";
import { rebuildRequest } from "../../src/core/proof/rebuild";
import { verifySession } from "../../src/core/proof/verify";
import { type Manifest, type Segment, standsBeside } from "../../src/shared/manifest";
import { edit, read, runTurn, start, type WorldOptions } from "./agent";
import { hash } from "./hash";
import { MemoryDisk, MemoryStorage } from "./storage";

const todos = [{ content: "Fix", status: "in_progress" }];

/** Two turns: reasoning, calls together, an edit, a command whose whole output is a blob, an error, a retry, todos, rules. */
export async function fullSession({ words = "fix @src/a.ts", ...options }: WorldOptions & { words?: string } = {}) {
  const lines = Array.from({ length: 400 }, (_, at) => `line ${at} 文字 \u{1f600}\n`).join("");
  const agent = await start({
    mode: "auto",
    rules: "Be kind — 丁寧に.",
    shell: { "*": { output: [["stdout", lines]] } },
    ...options,
  });
  const { session, models, clock } = agent;
  models.play(
    { reasoning: "Look first.", text: "I look.", calls: [read("src/a.ts"), { name: "LS", input: {} }] },
    { calls: [{ name: "TodoWrite", input: { todos } }, edit("src/a.ts", "one", "two")] },
    { fail: { code: "server", message: "Overloaded.", retryable: true } },
    { calls: [{ name: "Bash", input: { command: "make" } }, read("nothing.ts")] },
    { text: "Done \u{1f600}." },
    { calls: [{ ...read("src/a.ts"), id: "call_1" }] },
    { text: 'Still "two".' },
  );
  // The retry: time need not pass.
  clock.sleep = async () => undefined;
  for (const text of [words, "and now?"]) {
    await runTurn(session, text);
  }
  const { id } = session;
  await session.close();
  return { ...agent, id };
}

/** The bytes of a session. */
export interface Bytes {
  files: Map<string, Buffer>;
  blobs: Map<string, Buffer>;
}

export function bytesOf(disk: MemoryDisk, id: string): Bytes {
  const session = disk.sessions.get(id);
  if (!session) throw new Error(`no session ${id}`);
  return { files: new Map(session.files), blobs: new Map(session.blobs) };
}

/** A session that stands on a disk of its own. */
export function sessionOn({ files, blobs }: Bytes, id = "ses_1") {
  const disk = new MemoryDisk();
  const none = { snapshots: new Map(), meta: undefined, holder: undefined, waiting: [] };
  disk.sessions.set(id, { files: new Map(files), blobs: new Map(blobs), ...none });
  return new MemoryStorage(disk).open(id);
}

export const verifyBytes = async (bytes: Bytes) => verifySession(await sessionOn(bytes), hash);
export const rebuildFrom = async (bytes: Bytes, number: number) => rebuildRequest(await sessionOn(bytes), hash, number);

/** One byte is another: `mask` is 1 to 255. */
export function flipped(data: Buffer, at: number, mask: number): Buffer {
  const copy = Buffer.from(data);
  copy.writeUInt8(copy.readUInt8(at) ^ mask, at);
  return copy;
}

/** The list of each request, spliced together. */
export function wholeLists(manifests: readonly Manifest[]): { manifest: Manifest; segments: Segment[] }[] {
  let before: Segment[] = [];
  return manifests.map(manifest => {
    const segments = spliceSegments(before, manifest).map(segment => ({ ...segment }));
    if (!standsBeside(manifest)) before = segments;
    return { manifest, segments };
  });
}

/** Lines as somebody writes them who knows how they are chained, each with its whole list. */
export function chained(requests: readonly { manifest: Manifest; segments: readonly Segment[] }[]): string[] {
  let before: { self: string; segments: readonly Segment[] } | undefined;
  return requests.map(({ manifest: { self: _, changed: __, ...manifest }, segments }) => {
    const isBeside = standsBeside(manifest);
    const fields: Omit<Manifest, "self"> = {
      ...manifest,
      keep: 0,
      segments: [...segments],
      sharedTokens: prefixReuse(isBeside ? undefined : before, segments).sharedTokens,
      totalTokens: segments.reduce((sum, { tokens }) => sum + tokens, 0),
      requestSha256: requestHash(segments, manifest.callOptions, hash),
      previous: before?.self ?? null,
    };
    const self = hash.sha256(JSON.stringify(fields));
    before = { self, segments: isBeside ? (before?.segments ?? []) : segments };
    return JSON.stringify({ ...fields, self });
  });
}
