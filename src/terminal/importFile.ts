/** `strata import`: an exported session becomes one of this workspace. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { StorageError } from "../core/ports";
import { type ImportDeps, importSession } from "../core/transfer/importSession";
import { UsageError } from "./args";
import type { Streams } from "./eventPrinter";
import { EXIT } from "./exit";
import type { Interrupts } from "./interrupts";

export interface ImportEnvironment extends Omit<ImportDeps, "signal"> {
  streams: Streams;
  interrupts: Interrupts;
  /** a file's text, cut anywhere; throws StorageError while iterating */
  read(path: string): AsyncIterable<string>;
}

/** Prints the id. Rejects with UsageError, BundleError, StorageError and the errors of opening a log: nothing is left then. */
export async function importFile(
  file: string,
  { streams, interrupts, read, ...deps }: ImportEnvironment,
): Promise<number> {
  const path = resolve(file);
  await mustBeFile(path);
  const stop = new AbortController();
  interrupts.onStop(() => stop.abort());
  try {
    const { id, was, revoked } = await importSession(() => read(path), { ...deps, signal: stop.signal });
    if (was) streams.err(`The id ${was} is taken here, so the session has a new one.\n`);
    if (revoked > 0) streams.err("What was allowed in it without asking is asked again here.\n");
    streams.out(`${id}\n`);
    return EXIT.done;
  } catch (error) {
    if (stop.signal.aborted) return EXIT.stopped;
    if (!(error instanceof StorageError)) throw error;
    throw new StorageError(error.code, `Nothing was imported. ${error.message}`);
  }
}

/** It is read twice, which a pipe does not do. */
async function mustBeFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new UsageError(`${path} is not there. Name a file that strata export wrote.`);
  if (!found.isFile()) throw new UsageError(`${path} is no file. Name a file that strata export wrote.`);
}
