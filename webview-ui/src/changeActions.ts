/** What a person does about changed files: look at them, take edits back. A refusal becomes a notice. */
import type { PanelMethod, PanelParams, PanelResult } from "../../src/shared/panelProtocol";
import type { Store } from "./store/store";

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
