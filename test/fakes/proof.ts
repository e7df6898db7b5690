/** A session with something of everything in its requests, and a disk to damage. */
import { rebuildRequest } from "../../src/core/verify/rebuild";
import { verifySession } from "../../src/core/verify/verify";
import { edit, read, start, type WorldOptions } from "./agent";
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
    await session.submit(text);
    await session.idle();
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
