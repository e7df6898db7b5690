/** What an import makes of lines of a log from elsewhere: nothing that was allowed there counts here. */
import { recordedPlace } from "../../shared/filePlace";
import { isObject } from "../../shared/isObject";
import { t } from "../../shared/l10n";
import { SessionError } from "../ground/ports";

/** A line of a log as it stands: also one that this version cannot read as a record. */
export type LogLine = Readonly<Record<string, unknown>>;

/** The workspace that a session becomes one of. */
export interface ImportTarget {
  /** absolute, '/' separators */
  roots: readonly string[];
  /** A folder in which commands ran elsewhere is one of the workspace here. */
  isFolder(path: unknown): boolean;
}

/** What an import makes of a line from elsewhere. `revokes`: it gave a permission that does not count here. */
export interface ImportedLine {
  line: LogLine;
  revokes: boolean;
}

/** Grants and a loose mode do not count here; messages that waited are held. */
export function importCompaction(line: LogLine, here: ImportTarget): ImportedLine | undefined {
  if (!isObject(line.snapshot)) return undefined;
  const { cwd, model, ...kept } = line.snapshot;
  for (const file of [...listed(kept.changed), ...listed(kept.untoldReviews)]) isFileHere(file, here);
  const { mode, grants, pending } = kept;
  const moves = cwd !== undefined && !here.isFolder(cwd);
  const revokes = isLoose(mode) || (Array.isArray(grants) && grants.length > 0);
  const waiting = Array.isArray(pending) && pending.length > 0;
  if (!revokes && !waiting && !moves && model === undefined) return undefined;
  const snapshot = {
    ...kept,
    ...(cwd === undefined || moves ? {} : { cwd }),
    ...(revokes ? { grants: [] } : {}),
    ...(isLoose(mode) ? { mode: "ask" } : {}),
    ...(waiting ? { pending: pending.map(item => (isObject(item) ? { ...item, held: true } : item)) } : {}),
  };
  return { line: { ...line, snapshot }, revokes };
}

export const isLoose = (mode: unknown): boolean => mode === "edits" || mode === "auto";

const listed = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Throws SessionError where the record names one file and means another: no Strata wrote it. */
function isFileHere(file: unknown, { roots }: ImportTarget): boolean {
  if (!isObject(file) || typeof file.uri !== "string" || typeof file.path !== "string") return true;
  const { uri, path } = file;
  const place = recordedPlace({ uri, path }, roots);
  if (place === "differs")
    throw new SessionError(
      t("Nothing was imported: a change in this session is shown as {0} and would be made in {1}.", path, uri),
    );
  return place === "here";
}

/** What was changed outside of this workspace can be looked at, but not taken back here. */
function importChange(change: unknown, here: ImportTarget): unknown {
  if (isFileHere(change, here) || !isObject(change)) return change;
  const { before: _, after: __, stored: ___, ...kept } = change;
  return { ...kept, unkept: "elsewhere" };
}

export function importResult(line: LogLine, here: ImportTarget): ImportedLine | undefined {
  const { cwd, ...kept } = line;
  const moves = cwd !== undefined && !here.isFolder(cwd);
  const changes = listed(line.changes).map(change => importChange(change, here));
  const isSame = changes.every((change, at) => change === listed(line.changes)[at]);
  if (!moves && isSame) return undefined;
  return { line: { ...(moves ? kept : line), ...(isSame ? {} : { changes }) }, revokes: false };
}

/** The working tree was on another machine. */
export function importChild({ worktree, ...line }: LogLine, here: ImportTarget): ImportedLine | undefined {
  const imported = importResult(line, here);
  return worktree === undefined ? imported : { revokes: false, line, ...imported };
}

/** What is allowed for the session there is allowed once; what an answer was for names one file. */
export function importApproval(line: LogLine, here: ImportTarget): ImportedLine | undefined {
  const detail = isObject(line.action) ? line.action.detail : undefined;
  if (isObject(detail)) for (const change of listed(detail.changes)) isFileHere(change, here);
  return isObject(line.answer) && line.answer.scope === "session"
    ? { line: { ...line, answer: { ...line.answer, scope: "once" } }, revokes: true }
    : undefined;
}

export function importTakenBack(line: LogLine, here: ImportTarget): ImportedLine | undefined {
  if (isFileHere(line, here)) return undefined;
  const { before: _, after: __, base: ___, agent: ____, stored: _____, ...kept } = line;
  return { line: kept, revokes: false };
}

/** What was begun elsewhere is not looked into afterwards. */
export function importIntent(line: LogLine, here: ImportTarget): ImportedLine | undefined {
  isFileHere(line.record, here);
  return line.phase === "left" ? undefined : { line: { ...line, phase: "left" }, revokes: false };
}

/** Lists of files are states of them, which no export has: what has the name of one here is something else. */
export function importList({ list, ...line }: LogLine): ImportedLine | undefined {
  if (list === undefined) return undefined;
  const gap = t("The session does not have what some commands changed (an export leaves it out).");
  const told = line.kind === "commandFiles" ? { gaps: [...new Set([...listed(line.gaps), gap])] } : {};
  return { line: { ...line, ...told }, revokes: false };
}
