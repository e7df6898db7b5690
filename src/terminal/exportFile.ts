/** `strata export`: a session as one file. Written beside its place and renamed, so that there is all of it or nothing. */
import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { type ExportDeps, type ExportReport, exportSession } from "../core/history/exportSession";
import { type SessionStorage, StorageError } from "../core/ports";
import { counted } from "../core/tools/format";
import { type ExportCommand, UsageError } from "./args";
import { EXIT } from "./exit";
import type { Interrupts } from "./interrupts";
import type { Output } from "./output";

export interface ExportEnvironment extends Omit<ExportDeps, "onReport"> {
  storage: SessionStorage;
  streams: Pick<Output, "out" | "err" | "pour">;
  interrupts: Interrupts;
}

/** Prints where it is. Rejects with UsageError, StorageError and the errors of opening a log. */
export async function exportToFile(command: ExportCommand, environment: ExportEnvironment): Promise<number> {
  const { storage, streams, interrupts, ...deps } = environment;
  const files = await storage.open(command.session, { readOnly: true });
  const stop = new AbortController();
  interrupts.onStop(() => stop.abort());
  const reports: ExportReport[] = [];
  const lines = exportSession(files, { ...deps, onReport: report => reports.push(report) });
  try {
    if (command.file === "-") {
      for await (const line of lines) {
        if (stop.signal.aborted) return EXIT.stopped;
        await streams.pour(line);
      }
    } else {
      const path = resolve(command.file ?? (await defaultName(command.session, storage, deps.redact)));
      await writeFile(path, lines, command.force, stop.signal);
      streams.out(`${path}\n`);
    }
  } catch (error) {
    if (stop.signal.aborted) return EXIT.stopped;
    throw error;
  } finally {
    await files.close();
  }
  for (const report of reports) streams.err(reportText(report));
  return EXIT.done;
}

function reportText({ files, blobs, secrets, leftOut }: ExportReport): string {
  const lines = [`Exported: ${counted(files, "log")}, ${counted(blobs, "blob")}.`];
  if (secrets > 0) {
    const places = secrets === 1 ? "1 place holds" : `${secrets} places hold`;
    lines.push(
      `! ${places} what is known as a secret now, and was not when it was recorded: replaced by placeholders in the export. What was sent or printed there will not verify after an import; in this workspace's session it still stands.`,
    );
  }
  for (const name of leftOut) lines.push(`! Left out, missing or damaged: ${name}`);
  return `${lines.join("\n")}\n`;
}

async function defaultName(id: string, storage: SessionStorage, redact: (text: string) => string): Promise<string> {
  const title = (await storage.list()).find(session => session.id === id)?.title ?? "";
  const slug = slugOf(redact(title));
  return `${slug ? `${slug}-` : ""}${id}.strata.jsonl`;
}

/** A title as a part of a file's name, in any script. */
export function slugOf(title: string): string {
  const words =
    title
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return [...words.join("-")].slice(0, 40).join("").replace(/-$/, "");
}

async function writeFile(path: string, lines: AsyncIterable<string>, force: boolean, signal: AbortSignal) {
  const there = await stat(path).catch(() => undefined);
  if (there?.isDirectory()) throw new UsageError(`${path} is a folder. Name a file.`);
  if (there && !force)
    throw new UsageError(`${path} is there already. Name another file, or write over it with --force.`);
  const temporary = join(dirname(path), `.${randomUUID()}.tmp`);
  try {
    // For its owner's eyes, as the session itself.
    await pipeline(lines, createWriteStream(temporary, { flags: "wx", mode: 0o600, flush: true }), { signal });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw writeError(error, path);
  }
}

const WORDS: Record<string, { code: StorageError["code"]; words: string }> = {
  ENOSPC: { code: "DISK_FULL", words: "The disk is full. Free some space, then export again." },
  EDQUOT: { code: "DISK_FULL", words: "Your disk quota is used up. Free some space, then export again." },
  EACCES: { code: "DENIED", words: "Permission denied." },
  EPERM: { code: "DENIED", words: "Permission denied." },
  EROFS: { code: "DENIED", words: "The file system is read-only." },
  ENOENT: { code: "NOT_FOUND", words: "Its folder is not there." },
};

function writeError(error: unknown, path: string): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const known = WORDS[code];
  return known ? new StorageError(known.code, `${path} was not written. ${known.words}`) : error;
}
