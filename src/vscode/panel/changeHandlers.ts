/** What the host does for the panel's requests about changed files: tell them, show them, take edits back. */
import type { TurnStates } from "../../core/edits/sessionEdits";
import { findResult } from "../../core/history/findRecords";
import type { Session } from "../../core/session/session";
import type { FileChange } from "../../shared/toolResult";
import { PanelError, type PanelHandlers } from "./dispatch";

/** An edit with what the file held before and after it, where somebody kept that. */
export type ShownEdit = FileChange & { states?: { before: string | null; after: string | null } };

/** A file as a turn found it. */
export interface ShownFile {
  uri: string;
  path: string;
  /** null: it was not there; undefined: nobody kept it, `diffs` say what is known */
  before: string | null | undefined;
  /** of the turn's edits that stand, as they were recorded, oldest first */
  diffs: string[];
}

export interface DiffEditor {
  /** What an edit did. */
  openDiff(edit: ShownEdit): Promise<void>;
  /** A file as it is now beside what it was before a turn. @param since what is said of that, in its title */
  openTurnDiff(since: string, file: ShownFile): Promise<void>;
  /** Several, in one editor. */
  openTurnDiffs(title: string, files: readonly ShownFile[]): Promise<void>;
}

type ChangeHandlers = Pick<
  PanelHandlers,
  "openDiff" | "turnChanges" | "openTurnDiff" | "openTurnDiffs" | "undoEdit" | "redoEdit" | "undoFile" | "redoFile"
>;

/** Earlier edits may be in an archive that cannot be read. */
const NOT_ALL = "earlier edits may be missing";

export function changeHandlers(shown: () => Promise<Session>, editor: DiffEditor): ChangeHandlers {
  const done = {};
  return {
    async openDiff({ callId, uri }) {
      const session = await shown();
      const change = await findChange(session, callId, uri);
      if (!change) throw new PanelError("This call changed no such file.");
      const states = await session.edits.editStates(change);
      await editor.openDiff({ ...change, ...(states ? { states } : {}) });
      return done;
    },
    async turnChanges({ turn }) {
      const { files, missing } = await (await shown()).edits.changesOf(turn);
      return { files, ...(missing.length > 0 ? { missing } : {}) };
    },
    async openTurnDiff({ turn, uri }) {
      const session = await shown();
      const { files, missing } = await session.edits.statesBefore(turn);
      const file = files.find(each => each.uri === uri);
      if (!file) throw new PanelError("The agent changed no such file in this turn.");
      const since = missing.length > 0 ? NOT_ALL : "since the turn began";
      await editor.openTurnDiff(since, await shownFile(session, file));
      return done;
    },
    async openTurnDiffs({ turn }) {
      const session = await shown();
      const { files, missing } = await session.edits.statesBefore(turn);
      if (files.length === 0) throw new PanelError("The agent changed no file in this turn.");
      const shownFiles = await Promise.all(files.map(file => shownFile(session, file)));
      const title = `Changes since turn ${turn} began`;
      await editor.openTurnDiffs(missing.length > 0 ? `${title} (${NOT_ALL})` : title, shownFiles);
      return done;
    },
    undoEdit: async edit => (await shown()).edits.undoEdit(edit).then(() => done),
    redoEdit: async edit => (await shown()).edits.redoEdit(edit).then(() => done),
    undoFile: async file => (await shown()).edits.undoFile(file).then(() => done),
    redoFile: async file => (await shown()).edits.redoFile(file).then(() => done),
  };
}

async function findChange(session: Session, callId: string, uri: string): Promise<FileChange | undefined> {
  const record = await findResult(session.history, callId);
  if (!record) throw new PanelError("This call has no result yet.");
  return record.changes?.find(change => change.uri === uri);
}

async function shownFile(session: Session, { uri, path, before, edits }: TurnStates): Promise<ShownFile> {
  if (before !== undefined) return { uri, path, before, diffs: [] };
  const standing = edits.filter(({ undone }) => !undone);
  const diffs = await Promise.all(
    standing.map(async ({ callId, change }) => change.diff || ((await findChange(session, callId, uri))?.diff ?? "")),
  );
  return { uri, path, before, diffs };
}
