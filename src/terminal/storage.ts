/** What sessions take on disk, and removing them: never without a yes. */
import { createInterface } from "node:readline";
import { type SessionMeta, type SessionStorage, StorageError } from "../core/ports";
import { type RemoveCommand, UsageError } from "./args";
import type { Streams } from "./eventPrinter";
import { EXIT } from "./exit";
import { stripControls } from "./stripControls";

/** More of them in one line help nobody. */
const MAX_NAMED = 5;

/** `overLimit` of what is there now. Rejects with StorageError. */
export async function storageWarning(storage: SessionStorage, maxBytes: number): Promise<string | undefined> {
  return maxBytes === 0 ? undefined : overLimit(await storage.list(), await storage.usage(), maxBytes);
}

/**
 * One sentence where all sessions together take more than the limit, with the oldest that would have to go; undefined where
 * they do not. Pure.
 * @param sessions newest first; the first is the one at hand, which is never named
 * @param maxBytes 0: no limit
 */
export function overLimit(
  sessions: readonly Pick<SessionMeta, "id">[],
  usage: readonly { id: string; bytes: number }[],
  maxBytes: number,
): string | undefined {
  const sizes = new Map(usage.map(({ id, bytes }) => [id, bytes]));
  const total = totalBytes(usage);
  if (maxBytes === 0 || total <= maxBytes) return undefined;
  const oldest: string[] = [];
  let rest = total;
  for (const { id } of sessions.slice(1).reverse()) {
    if (rest <= maxBytes || oldest.length === MAX_NAMED) break;
    oldest.push(id);
    rest -= sizes.get(id) ?? 0;
  }
  const way = oldest.length > 0 ? ` The oldest can be removed with: strata remove ${oldest.join(" ")}` : "";
  return `The sessions of this workspace take ${sizeText(total)}, more than strata.storage.maxBytes (${sizeText(maxBytes)}). Nothing is removed by itself.${way}`;
}

export const totalBytes = (usage: readonly { bytes: number }[]): number =>
  usage.reduce((sum, { bytes }) => sum + bytes, 0);

export interface RemoveEnvironment {
  storage: SessionStorage;
  streams: Streams;
  /** where a person answers; undefined: nobody is there */
  input: NodeJS.ReadableStream | undefined;
  /** where the question is written */
  output: NodeJS.WritableStream;
}

/** Exit code: 1 where one of them was not removed. Rejects with UsageError, and StorageError where one is not there. */
export async function removeSessions(command: RemoveCommand, environment: RemoveEnvironment): Promise<number> {
  const { storage, streams } = environment;
  const found = await describeSessions(command.sessions, storage);
  if (!command.yes) {
    if (!environment.input)
      throw new UsageError("Nobody is there to say yes. Remove sessions without a question with --yes.");
    streams.err(found.map(({ line }) => `${line}\n`).join(""));
    if (!(await confirmRemoval(found.length, environment.input, environment.output))) {
      streams.err("Nothing was removed.\n");
      return EXIT.done;
    }
  }
  let code: number = EXIT.done;
  for (const { id } of found) {
    try {
      await storage.remove(id);
      streams.err(`Removed ${id}.\n`);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      streams.err(`${id}: ${error.message}\n`);
      code = EXIT.error;
    }
  }
  return code;
}

/** All of them, or none is touched. */
async function describeSessions(
  ids: readonly string[],
  storage: SessionStorage,
): Promise<{ id: string; line: string }[]> {
  const metas = new Map((await storage.list()).map(meta => [meta.id, meta]));
  const sizes = new Map((await storage.usage()).map(({ id, bytes }) => [id, bytes]));
  const missing = ids.filter(id => !metas.has(id) && !sizes.has(id));
  if (missing.length > 0) {
    const text = `There is no session ${missing.join(", ")} here. Nothing was removed; strata list shows what is there.`;
    throw new StorageError("NOT_FOUND", text);
  }
  return ids.map(id => {
    const meta = metas.get(id);
    return { id, line: meta ? sessionLine(meta, sizes.get(id)) : id };
  });
}

function confirmRemoval(count: number, input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Promise<boolean> {
  const question = `Delete ${count === 1 ? "this session" : `these ${count} sessions`} for good? y = yes, anything else = no: `;
  const terminal = createInterface({ input, output });
  return new Promise(resolve => {
    // Ctrl+D and Ctrl+C are no yes either.
    terminal.on("close", () => resolve(false));
    terminal.question(question, reply => {
      resolve(/^\s*y(es)?\s*$/i.test(reply));
      terminal.close();
    });
  });
}

/** @param bytes undefined: not asked for */
export function sessionLine({ id, title, updated, turns }: SessionMeta, bytes?: number): string {
  // In a session from elsewhere it may be no time at all.
  const when = new Date(Math.abs(updated) < 8e15 ? updated : 0).toISOString().slice(0, 16).replace("T", " ");
  const size = bytes === undefined ? "" : `${sizeText(bytes)}  `;
  return `${id}  ${when}  ${turns} ${turns === 1 ? "turn" : "turns"}  ${size}${stripControls(title) || "(empty)"}`;
}

/** In powers of ten, as the setting counts: 2000000000 → "2 GB". */
export function sizeText(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  for (; value >= 999.5 && unit < units.length - 1; unit++) value /= 1000;
  const digits = value < 10 && unit > 0 ? 1 : 0;
  return `${value.toFixed(digits).replace(/\.0$/, "")} ${units[unit]}`;
}
