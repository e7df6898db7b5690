/** What a person does about the context: compact, take back, look, keep. A refusal becomes a notice. */
import { noCompactionTo } from "../../../src/shared/compactionLine";
import type { PanelMethod, PanelParams, PanelResult } from "../../../src/shared/panelProtocol";
import { undoable } from "../store/compactions";
import type { Store } from "../store/store";

export interface ContextActions {
  /** Compacts history; events tell how it goes on. false: refused */
  compact(guidance?: string): Promise<boolean>;
  cancelCompaction(): void;
  /** Resolves when it is done, or refused. */
  undoCompaction(compactionId: string): Promise<void>;
  redoCompaction(compactionId: string): Promise<void>;
  /** What can be undone or redone now; where nothing can, a notice says so. false: refused, or not known */
  takeBack(way: "undo" | "redo"): Promise<boolean>;
  /** Asks the host how full the context is now, and what it is made of. */
  refreshContext(): Promise<void>;
  /** What a compaction would do now, in the editor. */
  previewCompaction(): void;
  /** What a compaction left out, in the editor. */
  openLeftOut(compactionId: string): void;
  /** Compactions leave the rounds of pinned turns as they are. */
  pin(turn: number, pinned: boolean): void;
}

/** @param ask undefined: refused, the notice is there; `whenOpen` waits for the session, false: it cannot be worked on */
export function contextActions(
  ask: <M extends PanelMethod>(method: M, params: PanelParams<M>) => Promise<PanelResult<M> | undefined>,
  whenOpen: () => Promise<boolean>,
  store: Store,
  say: (notice: string) => void,
): ContextActions {
  return {
    compact: async guidance => (await whenOpen()) && (await ask("compact", guidance ? { guidance } : {})) !== undefined,
    cancelCompaction: () => void ask("cancelCompaction", {}),
    undoCompaction: async compactionId => void (await ask("undoCompaction", { compactionId })),
    redoCompaction: async compactionId => void (await ask("redoCompaction", { compactionId })),
    async takeBack(way) {
      if (!(await whenOpen())) return false;
      const { session } = store.get();
      const compactionId = undoable(session)[way];
      if (compactionId !== null) return (await ask(`${way}Compaction`, { compactionId })) !== undefined;
      say(session.hasOlder ? notLoaded : noCompactionTo(way));
      return !session.hasOlder;
    },
    async refreshContext() {
      const { sessionId } = store.get().session;
      const context = await ask("contextUse", {});
      if (context !== undefined) store.dispatch({ type: "context", sessionId, context });
    },
    previewCompaction: () => void ask("previewCompaction", {}),
    openLeftOut: compactionId => void ask("openLeftOut", { compactionId }),
    pin: (turn, pinned) => void ask("pin", { turn, pinned }),
  };
}

const notLoaded =
  "In what is loaded of this conversation there is no such compaction. Scroll up to what came earlier, then send this again.";

/** What a person does about changed files: look at them, take edits back. A refusal becomes a notice. */

type Edit = PanelParams<"undoEdit">;
type File = PanelParams<"undoFile">;

export interface ChangeActions {
  openDiff(callId: string, uri: string): void;
  /** A file as it is now beside what it was before the turn, in the editor. */
  openTurnDiff(turn: number, uri: string): void;
  openTurnDiffs(turn: number): void;
  /** Asks the host what the turn made of its files. */
  refreshChanges(turn: number): Promise<void>;
  /** Opens or closes the list of a turn's files. */
  toggleChanges(turn: number): void;
  /** These resolve when it is done, or refused. */
  undoEdit(edit: Edit): Promise<void>;
  redoEdit(edit: Edit): Promise<void>;
  undoFile(file: File): Promise<void>;
  redoFile(file: File): Promise<void>;
}

/** @param ask undefined: refused, the notice is there */
export function changeActions(
  ask: <M extends PanelMethod>(method: M, params: PanelParams<M>) => Promise<PanelResult<M> | undefined>,
  store: Store,
): ChangeActions {
  return {
    openDiff: (callId, uri) => void ask("openDiff", { callId, uri }),
    openTurnDiff: (turn, uri) => void ask("openTurnDiff", { turn, uri }),
    openTurnDiffs: turn => void ask("openTurnDiffs", { turn }),
    async refreshChanges(turn) {
      const { sessionId } = store.get().session;
      const answer = await ask("turnChanges", { turn });
      if (answer !== undefined) store.dispatch({ type: "turnFiles", sessionId, turn, told: answer });
    },
    toggleChanges: turn => store.dispatch({ type: "toggleChanges", turn }),
    undoEdit: async edit => void (await ask("undoEdit", edit)),
    redoEdit: async edit => void (await ask("redoEdit", edit)),
    undoFile: async file => void (await ask("undoFile", file)),
    redoFile: async file => void (await ask("redoFile", file)),
  };
}

/** What a person does about background tasks and terminals. A refusal becomes a notice. */

export interface TaskActions {
  /** Ends a background task; events tell when it is over. */
  stopTask(taskId: string): void;
  /** What it prints, in a terminal that follows it. */
  openTask(taskId: string): void;
  /** Takes one that ended off the list. */
  dismissTask(taskId: string): void;
  /** A terminal with the command of a Bash call typed into it, not run. */
  openTerminal(callId: string): void;
}

/** @param ask undefined: refused, the notice is there */
export function taskActions(
  ask: <M extends PanelMethod>(method: M, params: PanelParams<M>) => Promise<PanelResult<M> | undefined>,
): TaskActions {
  return {
    stopTask: taskId => void ask("stopTask", { taskId }),
    openTask: taskId => void ask("openTask", { taskId }),
    dismissTask: taskId => void ask("dismissTask", { taskId }),
    openTerminal: callId => void ask("openTerminal", { callId }),
  };
}
