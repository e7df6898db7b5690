/** What a person does about the context: compact, take back, look, keep. A refusal becomes a notice. */
import { noCompactionTo } from "../../src/shared/compactionLine";
import type { PanelMethod, PanelParams, PanelResult } from "../../src/shared/panelProtocol";
import { undoable } from "./store/compactions";
import type { Store } from "./store/store";

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
