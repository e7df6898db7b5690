/** What the host does for the panel's requests about the context: compact, take back, look, pin. */
import { leftOutReport, planReport } from "../../core/compaction/compactionReport";
import { readWholeLog } from "../../core/history/readLog";
import type { Logger } from "../../core/ports";
import type { Session } from "../../core/session/session";
import type { ContextUse } from "../../shared/panelProtocol";
import type { RecordOf } from "../../shared/records";
import { PanelError, type PanelHandlers } from "./dispatch";

export interface ContextHandlerDeps {
  shown(): Promise<Session>;
  editor: MarkdownEditor;
  logger: Logger;
}

export interface MarkdownEditor {
  /** A read-only document as people read it. @param name a file name, for its tab */
  openMarkdown(name: string, text: string): Promise<void>;
}

type ContextHandlers = Pick<
  PanelHandlers,
  | "compact"
  | "cancelCompaction"
  | "undoCompaction"
  | "redoCompaction"
  | "previewCompaction"
  | "openLeftOut"
  | "contextUse"
  | "pin"
>;

export function contextHandlers({ shown, editor, logger }: ContextHandlerDeps): ContextHandlers {
  const done = {};
  return {
    async compact({ guidance }) {
      await beginCompaction(await shown(), guidance, logger);
      return done;
    },
    async cancelCompaction() {
      (await shown()).cancelCompaction();
      return done;
    },
    async undoCompaction({ compactionId }) {
      const session = await shown();
      requireNewest(session.compactions.undo, compactionId);
      await session.undoCompaction();
      return done;
    },
    async redoCompaction({ compactionId }) {
      const session = await shown();
      requireNewest(session.compactions.redo, compactionId);
      await session.redoCompaction();
      return done;
    },
    previewCompaction: async () => openPreview(await shown(), editor).then(() => done),
    async openLeftOut({ compactionId }) {
      const { records } = await readWholeLog((await shown()).history.files);
      const compaction = records.find(({ id }) => id === compactionId);
      if (compaction?.kind !== "compaction")
        throw new PanelError("This compaction is not in the session's log any more.");
      await editor.openMarkdown("What was left out.md", leftOutReport(compaction, records));
      return done;
    },
    contextUse: async () => sessionContextUse(await shown()),
    pin: async ({ turn, pinned }) => (await shown()).pin(turn, pinned).then(() => done),
  };
}

/** Resolves when it has begun: how it goes on comes as events, also where it fails. Rejects where it is refused. */
export async function beginCompaction(session: Session, guidance: string | undefined, logger: Logger): Promise<void> {
  const busy = session.state !== "idle";
  const ended = session.compact(guidance);
  if (busy || session.state === "idle") return ended;
  ended.catch(error => logger.log("warning", "a compaction by hand failed", { error: String(error) }));
}

/** What a compaction would do now, as a page. */
export async function openPreview(session: Session, editor: MarkdownEditor): Promise<void> {
  const [plan, { window, ratio }] = await Promise.all([session.previewCompaction(), session.contextUse()]);
  await editor.openMarkdown("What a compaction would do.md", planReport(plan, window, ratio));
}

/** How full the context would be with the next request. */
export async function sessionContextUse(session: Session): Promise<ContextUse> {
  const { estimated, window, layers, ratio } = await session.contextUse();
  // There: estimate ÷ report, to correct estimates with; here: how many tokens an estimated one turns out to be.
  return { tokens: Math.round(estimated), window: Math.round(window), layers, ...(ratio ? { ratio: 1 / ratio } : {}) };
}

/** The panel may be a moment behind, or another panel may have been quicker. */
function requireNewest(compaction: RecordOf<"compaction"> | undefined, id: string): void {
  if (compaction?.id === id) return;
  throw new PanelError(
    "This compaction cannot be changed now: they are taken back one by one, the newest first. Look for the newest notice.",
  );
}
