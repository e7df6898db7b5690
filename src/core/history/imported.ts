/** What an import makes of lines of a log from elsewhere: nothing that was allowed there counts here. */
import { isObject } from "../text/json";

/** A line of a log as it stands: also one that this version cannot read as a record. */
export type LogLine = Readonly<Record<string, unknown>>;

/** What an import makes of a line from elsewhere. `revokes`: it gave a permission that does not count here. */
/** A folder in which commands ran elsewhere is one of the workspace here. */
export type IsFolderHere = (path: unknown) => boolean;

export interface Imported {
  line: LogLine;
  revokes: boolean;
}

/** Grants and a loose mode do not count here; messages that waited are held. */
export function importCompaction(line: LogLine, isFolderHere: IsFolderHere): Imported | undefined {
  if (!isObject(line.snapshot)) return undefined;
  const { cwd, model, ...kept } = line.snapshot;
  const { mode, grants, pending } = kept;
  const moves = cwd !== undefined && !isFolderHere(cwd);
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
