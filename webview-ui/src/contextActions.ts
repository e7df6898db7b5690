/** What a person does about the context: compact, take back, look, keep. A refusal becomes a notice. */
import type { PanelMethod, PanelParams, PanelResult } from "../../src/shared/panelProtocol";
import type { Store } from "./store/store";

export interface ContextActions {
  /** Compacts history; events tell how it goes on. false: refused */
  compact(guidance?: string): Promise<boolean>;
  cancelCompaction(): void;
  /** Resolves when it is done, or refused. */
  undoCompaction(compactionId: string): Promise<void>;
  redoCompaction(compactionId: string): Promise<void>;
  /** Asks the host how full the context is now, and what it is made of. */
  refreshContext(): Promise<void>;
  /** What a compaction would do now, in the editor. */
  previewCompaction(): void;
  /** What a compaction left out, in the editor. */
  openLeftOut(compactionId: string): void;
  /** Compactions leave the rounds of pinned turns as they are. */
  pin(turn: number, pinned: boolean): void;
}

/** @param ask undefined: refused, the notice is there; `askWhenOpen` waits for the session, false: refused */
export function contextActions(
  ask: <M extends PanelMethod>(method: M, params: PanelParams<M>) => Promise<PanelResult<M> | undefined>,
  askWhenOpen: (method: "compact", params: PanelParams<"compact">) => Promise<boolean>,
  store: Store,
): ContextActions {
  return {
    compact: guidance => askWhenOpen("compact", guidance ? { guidance } : {}),
    cancelCompaction: () => void ask("cancelCompaction", {}),
    undoCompaction: async compactionId => void (await ask("undoCompaction", { compactionId })),
    redoCompaction: async compactionId => void (await ask("redoCompaction", { compactionId })),
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
