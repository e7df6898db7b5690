/**
 * `strata export`: a session as one file, written beside its place and renamed, so that there is all of it or nothing. `strata verify`
 * and `strata show --request` prove what a session has, and change nothing.
 */

import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { canonicalJson } from "../core/context/compose";
import { type SessionFiles, type SessionStorage, StorageError } from "../core/ground/ports";
import type { ExportDeps, ExportReport } from "../core/proof/exportSession";
import { exportName, exportSession, reportSentences } from "../core/proof/exportSession";
import { importSession } from "../core/proof/importSession";
import { ViewSearch } from "../core/proof/inView";
import { inViewReport } from "../core/proof/inViewReport";
import { rebuildRequest, requestText } from "../core/proof/rebuild";
import { trajectory } from "../core/proof/trajectory";
import { verifySession } from "../core/proof/verify";
import { readExported, writeExported } from "../node/exportedFile";
import { NodeStorage } from "../node/storage/sessionStorage";
import { nodeClock, nodeHash, nodeIds, nodeRunningHash } from "../node/system";
import { t } from "../shared/l10n";
import type { Redact } from "../shared/redacted";
import { printableJson } from "../shared/shown";
import type { CommandOf } from "./args";
import { UsageError } from "./argValues";
import type { Streams } from "./eventPrinter";
import type { Interrupts } from "./interrupts";
import { EXIT, jsonLine, type Output, printReport } from "./output";
import { defectLine, proofReport } from "./proofReport";
import { withFiles } from "./sessions";

interface TransferPlace {
  storage: SessionStorage;
  streams: Output;
  interrupts: Interrupts;
}

export type ExportHow = Pick<ExportDeps, "redact" | "app">;

/** Prints where it is. Rejects with UsageError, StorageError and the errors of opening a log. */
export async function exportToFile(
  command: CommandOf<"export">,
  { storage, streams, interrupts }: TransferPlace,
  how: ExportHow,
): Promise<number> {
  const files = await storage.open(command.session, { readOnly: true });
  const reports: ExportReport[] = [];
  const lines = command.atif
    ? trajectoryText(files, how)
    : exportSession(files, { ...how, ...exporting, onReport: report => reports.push(report) });
  try {
    if (command.file === "-") {
      for await (const line of lines) {
        if (interrupts.signal.aborted) return EXIT.stopped;
        await streams.pour(line);
      }
    } else {
      const path = resolve(command.file ?? (await defaultName(command, storage, how.redact)));
      await mustBeFree(path, command.force);
      await writeExported(path, lines, interrupts.signal);
      streams.out(`${path}\n`);
    }
  } catch (error) {
    if (interrupts.signal.aborted) return EXIT.stopped;
    throw error;
  } finally {
    await files.close();
  }
  for (const [what, ...warnings] of reports.map(reportSentences))
    streams.err([t("Exported: {0}", what ?? ""), ...warnings.map(warning => `! ${warning}`), ""].join("\n"));
  return EXIT.done;
}

/** What every export of this machine takes. */
export const exporting = { hash: nodeHash, newHash: nodeRunningHash, now: () => nodeClock.now() };

async function* trajectoryText(files: SessionFiles, how: ExportHow) {
  yield `${JSON.stringify(await trajectory(files, how), undefined, 2)}\n`;
}

async function defaultName({ session: id, atif }: CommandOf<"export">, storage: SessionStorage, redact: Redact) {
  const title = (await storage.list()).find(session => session.id === id)?.title ?? "";
  return exportName(id, redact(title), atif ? "trajectory.json" : undefined);
}

/** Rejects with UsageError where something stands there. */
export async function mustBeFree(path: string, force: boolean): Promise<void> {
  const there = await stat(path).catch(() => undefined);
  if (there?.isDirectory()) throw new UsageError(t("{0} is a folder. Name a file.", path));
  if (there && !force)
    throw new UsageError(t("{0} is there already. Name another file, or write over it with --force.", path));
}

// `strata import`: an exported session becomes one of this workspace.

/**
 * Prints the id. Rejects with UsageError, BundleError, StorageError and the errors of opening a log: nothing is left then.
 * @param roots as of `importSession`
 */
export async function importFile(file: string, { storage, streams, interrupts }: TransferPlace, roots: string[]) {
  const path = resolve(file);
  await mustBeFile(path);
  try {
    const { id, was, revoked } = await imported(path, { storage, interrupts }, roots);
    if (was) streams.err(t("The id {0} is taken here, so the session has a new one.\n", was));
    if (revoked > 0) streams.err(t("Its permissions were not imported: Strata asks again here.\n"));
    streams.out(`${id}\n`);
    return EXIT.done;
  } catch (error) {
    if (interrupts.signal.aborted) return EXIT.stopped;
    if (!(error instanceof StorageError)) throw error;
    throw new StorageError(error.code, t("Nothing was imported. {0}", error.message));
  }
}

const imported = (path: string, { storage, interrupts }: Omit<TransferPlace, "streams">, roots: string[]) =>
  importSession(() => readExported(path), {
    ...{ storage, roots, ids: nodeIds, newHash: nodeRunningHash, signal: interrupts.signal },
  });

/** It may be read twice, which a pipe does not do. Rejects with UsageError. */
export async function mustBeFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new UsageError(t("{0} is not there.", path));
  if (!found.isFile()) throw new UsageError(t("{0} is no file.", path));
}

type VerifyArgs = { session: string; json: boolean };

/**
 * Exit code: 0 all proven, 1 something is not as it was sent. Rejects with StorageError and the errors of opening a log.
 * @param facts what the person said is listed instead, and what of it is in the newest request
 */
export function verify(
  storage: SessionStorage,
  { session, json, facts }: VerifyArgs & { facts?: boolean },
  { out }: Streams,
): Promise<number> {
  return withFiles(storage, session, async files => {
    if (facts) {
      const view = await (await ViewSearch.open(files, nodeHash)).view({});
      if (json) out(jsonLine({ sessionId: files.id, request: view.request.number, facts: view.said }));
      else printReport(inViewReport(view), { out });
      return EXIT.done;
    }
    const report = await verifySession(files, nodeHash);
    if (json) out(jsonLine(report));
    else printReport(proofReport(report), { out });
    return report.defects.length === 0 ? EXIT.done : EXIT.error;
  });
}

/** No id of a session has a dot or a slash. */
export const isExportName = (session: string): boolean => /[./\\]/.test(session);

/** The same of an export: it is a session for as long as that takes. Rejects with UsageError, BundleError and as `verify`. */
export async function verifyExport(
  args: VerifyArgs & { facts?: boolean },
  { streams, interrupts }: Omit<TransferPlace, "storage">,
) {
  const path = resolve(args.session);
  await mustBeFile(path);
  const folder = await mkdtemp(join(tmpdir(), "strata-verify-"));
  try {
    const storage = new NodeStorage(folder);
    // It is of no workspace: nothing is done with it.
    const { id } = await imported(path, { storage, interrupts }, []);
    return await verify(storage, { ...args, session: id }, streams);
  } catch (error) {
    if (interrupts.signal.aborted) return EXIT.stopped;
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Exit code as `verify` has it. Rejects with NoRequestError too. */
export function showRequest(
  storage: SessionStorage,
  { session, json, request }: VerifyArgs & { request: number },
  { out, err }: Streams,
): Promise<number> {
  return withFiles(storage, session, async files => {
    const rebuilt = await rebuildRequest(files, nodeHash, request);
    if (!json) out(requestText(rebuilt));
    else if (rebuilt.content) out(`${printableJson(canonicalJson(rebuilt.content))}\n`);
    else err(t("The request cannot be rebuilt, so there is no JSON of it.\n"));
    for (const defect of rebuilt.defects) err(`! ${defectLine(defect).label}\n`);
    return rebuilt.defects.length === 0 ? EXIT.done : EXIT.error;
  });
}
