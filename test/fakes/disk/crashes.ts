/** Runs something on the real storage and cuts the power everywhere. */
import { createHash } from "node:crypto";
import { type SessionFiles, StorageError } from "../../../src/core/ground/ports";
import { NodeStorage } from "../../../src/node/storage/sessionStorage";
import { type Contents, filesOf } from "./effects";
import { ModelDisk, type OnCall } from "./modelDisk";

const FOLDER = "/state/strata";
export const SESSION = "ses_1";
export const SESSION_FOLDER = `${FOLDER}/sessions/${SESSION}`;

/** No lock beats in a test. Whoever has a lock is dead for the program that starts on a disk, and alive for one that `waits`. */
export function storageOn(disk: ModelDisk, onCall?: OnCall, { waits = false } = {}): NodeStorage {
  return new NodeStorage(FOLDER, { heartbeatMs: 1e6, pollMs: 1, staleMs: waits ? 1e9 : -1 }, disk.process(onCall));
}

/** Opens the session for writing, waiting where a crash left something in the way of the lock. */
export async function openToWrite(storage: NodeStorage): Promise<SessionFiles> {
  const files = await storage.open(SESSION);
  if (!files.writable) await new Promise(resolve => files.onLockChange(resolve));
  return files;
}

type Check<T> = (storage: NodeStorage, acknowledged: readonly T[], disk: ModelDisk) => Promise<void>;

/**
 * Runs `run` once; then, for every point in it and every state that a power cut may leave there (`powerCut.ts`), starts
 * anew and calls `check` with what had been acknowledged by then.
 * @param limit states per point
 * @param start the disk on which it runs
 * @param step 1: at every point; 7: at every seventh
 * @returns the number of states that were checked; those that are alike once
 */
export async function everyPowerCut<T>(
  run: (storage: NodeStorage, acknowledge: (fact: T) => void) => Promise<void>,
  check: Check<T>,
  limit = 64,
  start = () => new ModelDisk(),
  step = 1,
): Promise<number> {
  const disk = start();
  const facts: { fact: T; at: number }[] = [];
  await run(storageOn(disk), fact => facts.push({ fact, at: disk.entries.length }));
  const seen = new Set<string>();
  for (let done = 0; done <= disk.entries.length; done += step) {
    const acknowledged = facts.filter(({ at }) => at <= done).map(({ fact }) => fact);
    await checkPowerCuts(disk, done, acknowledged, check, { seen, limit });
  }
  return seen.size;
}

/**
 * Kills the program before each of its calls in turn, lets `next` go on in another one, which sees what the first left in the
 * system's memory; then the power goes, at the end of `next`. `limit`, `start` and `step` are as above.
 */
export async function everyKill<T>(
  run: (storage: NodeStorage) => Promise<void>,
  next: (storage: NodeStorage, acknowledge: (fact: T) => void) => Promise<void>,
  check: Check<T>,
  limit = 64,
  start = () => new ModelDisk(),
  step = 1,
): Promise<number> {
  const seen = new Set<string>();
  for (let dies = 1, ended = false; !ended; dies += step) {
    const disk = start();
    const killed = new Error("killed");
    const first = storageOn(disk, ({ number }) => {
      if (number >= dies) throw killed;
    });
    ended = await run(first).then(
      () => true,
      () => false,
    );
    const acknowledged: T[] = [];
    await next(storageOn(disk), fact => acknowledged.push(fact));
    await checkPowerCuts(disk, disk.entries.length, acknowledged, check, { seen, limit });
  }
  return seen.size;
}

async function checkPowerCuts<T>(
  disk: ModelDisk,
  done: number,
  acknowledged: readonly T[],
  check: Check<T>,
  { seen, limit }: { seen: Set<string>; limit: number },
): Promise<void> {
  for (const { contents, words } of disk.powerCuts(done, limit)) {
    const key = fingerprint(contents, acknowledged.length);
    if (seen.has(key)) continue;
    seen.add(key);
    const left = new ModelDisk(contents);
    try {
      await check(storageOn(left), acknowledged, left);
    } catch (error) {
      const place = `power cut after ${done} of ${disk.entries.length}; not synced: ${words || "nothing"}`;
      throw new Error(`${place}\n${error instanceof Error ? error.message : error}`, { cause: error });
    }
  }
}

function fingerprint(contents: Contents, acknowledged: number): string {
  const hash = createHash("sha256").update(`${acknowledged}`);
  for (const [path, data] of filesOf(contents)) hash.update(`\0${path}\0${data.length}\0`).update(data);
  return hash.digest("hex");
}

/** Of these, the first two are only written when they resolve. */
const WRITES = ["append", "truncate", "replace", "putBlob", "putSnapshot"] as const;

/** A write that was acknowledged: its arguments, as the session's files were given them. */
export interface Write {
  method: (typeof WRITES)[number];
  /** of the file, or the blob's sha256 */
  name: string;
  text: string;
}

/**
 * As `everyPowerCut`, for what happens to one session's files. Where nothing was written into a file yet, the session need not
 * be there, and `check` is not called.
 */
export function allCrashStates(
  run: (files: SessionFiles) => Promise<void>,
  check: (files: SessionFiles, acknowledged: readonly Write[], disk: ModelDisk) => Promise<void>,
  limit?: number,
): Promise<number> {
  return everyPowerCut<Write>(
    async (storage, acknowledge) => {
      const { note } = onceSynced(storage, acknowledge);
      await run(observed(await storage.create(SESSION), acknowledge, note));
    },
    async (storage, acknowledged, disk) => {
      const files = await openToWrite(storage).catch(error => {
        if (error instanceof StorageError && error.code === "NOT_FOUND") return undefined;
        throw error;
      });
      const inLog = acknowledged.some(({ method }) => method !== "putBlob" && method !== "putSnapshot");
      if (!files && inLog) throw new Error("the session is gone");
      if (!files) return;
      await check(files, acknowledged, disk);
      await files.close();
    },
    limit,
  );
}

/**
 * Facts that outlive a power cut from the next sync of a session of this storage on. @returns `note` takes one; `isEmpty`: all of
 * them do
 */
export function onceSynced<T>(storage: NodeStorage, acknowledge: (fact: T) => void) {
  const waiting: T[] = [];
  const hearing = (files: SessionFiles) => {
    const sync = files.sync.bind(files);
    files.sync = async () => {
      const now = [...waiting];
      await sync();
      for (const fact of now.filter(each => waiting.includes(each))) {
        waiting.splice(waiting.indexOf(fact), 1);
        acknowledge(fact);
      }
    };
    return files;
  };
  const [open, create] = [storage.open.bind(storage), storage.create.bind(storage)];
  storage.open = async (...args) => hearing(await open(...args));
  storage.create = async id => hearing(await create(id));
  return { note: (fact: T) => void waiting.push(fact), isEmpty: () => waiting.length === 0 };
}

/** The same files; tells of each write when it resolves: `written` of one that a power cut may take until the next sync. */
function observed(
  files: SessionFiles,
  acknowledge: (write: Write) => void,
  written: (write: Write) => void,
): SessionFiles {
  return new Proxy(files, {
    get(_, key) {
      const value: unknown = Reflect.get(files, key, files);
      if (typeof value !== "function") return value;
      const method = WRITES.find(write => write === key);
      if (!method) return value.bind(files);
      return async (name: string, text: unknown) => {
        const result: unknown = await Reflect.apply(value, files, [name, text]);
        (WRITES.indexOf(method) < 2 ? written : acknowledge)({ method, name, text: String(text) });
        return result;
      };
    },
  });
}
