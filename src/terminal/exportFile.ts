/** `strata export`: a session as one file. Written beside its place and renamed, so that there is all of it or nothing. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { SessionStorage } from "../core/ports";
import { counted } from "../core/text/format";
import { type ExportDeps, type ExportReport, exportName, exportSession } from "../core/transfer/exportSession";
import { type ExportCommand, UsageError } from "./args";
import { EXIT } from "./exit";
import type { Interrupts } from "./interrupts";
import type { Output } from "./output";

export interface ExportEnvironment extends Omit<ExportDeps, "onReport"> {
  storage: SessionStorage;
  streams: Pick<Output, "out" | "err" | "pour">;
  interrupts: Interrupts;
  /** all of it or nothing, over what stands there; rejects with StorageError and the signal's reason */
  write(path: string, lines: AsyncIterable<string>, signal: AbortSignal): Promise<void>;
}

/** Prints where it is. Rejects with UsageError, StorageError and the errors of opening a log. */
export async function exportToFile(command: ExportCommand, environment: ExportEnvironment): Promise<number> {
  const { storage, streams, interrupts, write, ...deps } = environment;
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
      await mustBeFree(path, command.force);
      await write(path, lines, stop.signal);
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
  const lines = [`Exported: ${counted(files, "log")}, ${counted(blobs, "output")}.`];
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
  return exportName(id, redact(title));
}

async function mustBeFree(path: string, force: boolean): Promise<void> {
  const there = await stat(path).catch(() => undefined);
  if (there?.isDirectory()) throw new UsageError(`${path} is a folder. Name a file.`);
  if (there && !force)
    throw new UsageError(`${path} is there already. Name another file, or write over it with --force.`);
}
