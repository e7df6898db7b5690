/** What panel and host tell each other about `@mentions` (docs/context.md). */
import * as z from "zod";

/** One of what a mention that is being typed may become: in a document, and in the panel's menu. */
const mentionItemSchema = z.object({
  kind: z.enum(["file", "folder", "attachment", "resource"]),
  /** as it is written into the text: `@src/a.ts`, `@src/`, `@"my notes.md"`, `@problems` */
  mention: z.string(),
  /** for people: the path, or the attachment's name */
  label: z.string(),
  /** UTF-16 offsets in `label` of what was typed */
  positions: z.array(z.int()),
  /** what it is, beside the path */
  hint: z.string().optional(),
  /** the folder whose contents are listed: choosing it ends the mention, where choosing another one opens it */
  here: z.literal(true).optional(),
  /** a server, or a template of resources: choosing it goes on with what stands behind it */
  open: z.literal(true).optional(),
});
export type MentionItem = z.infer<typeof mentionItemSchema>;

const completionSchema = z.object({
  /** best first */
  items: z.array(mentionItemSchema),
  /** not all files are known yet: asked again, there may be more */
  indexing: z.boolean(),
});
export type MentionCompletion = z.infer<typeof completionSchema>;

/** What a mention names, as it would be decided if the message were sent now. */
const mentionStateSchema = z.enum(["file", "folder", "attachment", "resource", "missing", "outside"]);
export type MentionState = z.infer<typeof mentionStateSchema>;

/** Requests of the panel, beside those of panelProtocol.ts. */
export const mentionRequests = {
  /** What the mention that is being typed may become. `query`: what stands between its `@` and the cursor, unquoted */
  completeMention: { params: z.object({ query: z.string() }), result: completionSchema },
  /** `mentions` as they stand in the text; the states in the same order */
  mentionStates: {
    params: z.object({ mentions: z.array(z.string()) }),
    result: z.object({ states: z.array(mentionStateSchema) }),
  },
  /** Paths, with `:line[:column]` too, and URIs as mentions, in the same order; null: nothing of the workspace is there */
  mentionPlaces: {
    params: z.object({ places: z.array(z.string()) }),
    result: z.object({ mentions: z.array(z.string().nullable()) }),
  },
} as const;
