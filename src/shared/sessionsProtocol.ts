/** What the panel asks of the sessions of this workspace: their list, a search through all of them, and what is done with one. */
import * as z from "zod";
import { act, ask } from "./panelRequest";
import { sessionMetaSchema } from "./sessionModel";

const sessionRef = { id: z.string() };
const trashRef = { key: z.string() };

const sessionSummarySchema = sessionMetaSchema.extend({
  /** running in this window now */
  running: z.boolean(),
  /** what it waits for, where that is a question about a permission or of the agent */
  asks: z.string().optional(),
  /** background tasks that run; absent: none */
  tasks: z.int().optional(),
});
export type SessionSummary = z.infer<typeof sessionSummarySchema>;

/** One in the trash. */
const deletedSessionSchema = z.object({ key: z.string(), title: z.string(), turns: z.int(), deleted: z.number() });
export type DeletedSummary = z.infer<typeof deletedSessionSchema>;

const sessionHitSchema = z.object({
  id: z.string(),
  /** a line that has all words, and who said it; absent: its title has them */
  line: z.object({ source: z.string(), text: z.string() }).optional(),
});
export type SessionHit = z.infer<typeof sessionHitSchema>;

export const exportFormats = ["markdown", "json"] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const sessionRequests = {
  /** newest first; what is in the trash, deleted last first, absent: nothing */
  sessions: ask(
    {},
    z.object({ sessions: z.array(sessionSummarySchema), deleted: z.array(deletedSessionSchema).optional() }),
  ),
  /**
   * The next hits of a search through titles and texts, after some tenths of a second at most. Another question ends the one before.
   * `from`: 0, or the `next` of the answer before; `next`: null: that is all
   */
  searchSessions: ask(
    { query: z.string().max(1_000), from: z.int().min(0) },
    z.object({ hits: z.array(sessionHitSchema), next: z.int().nullable() }),
  ),
  /** Refused while another window writes it. */
  renameSession: act({ ...sessionRef, title: z.string().max(1_000) }),
  pinSession: act({ ...sessionRef, pinned: z.boolean() }),
  /** A copy under an id of its own, without what was allowed in it. */
  duplicateSession: ask(sessionRef, z.object(sessionRef)),
  /** in a tab of the editor; absent: a new one */
  openSessionTab: act({ id: z.string().optional() }),
  /** The person chooses format and file. */
  exportSession: act(sessionRef),
  /** Into the trash; refused while it works, and while another window writes it. */
  deleteSession: ask(sessionRef, z.object(trashRef)),
  restoreSession: ask(trashRef, z.object(sessionRef)),
  /** Brings back the session that the panel shows and that another window deleted. */
  restoreShown: act({}),
  /** Deletes one in the trash for good, once the person said so to a question of VS Code's. */
  purgeSession: act(trashRef),
} as const;
