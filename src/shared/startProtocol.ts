/** What the panel asks where nothing was said yet: how to come to a model, what can be done here, what was found here. */
import * as z from "zod";

const empty = z.object({});

/** What answers without an account, by name. */
const modelWaysSchema = z.object({
  /** VS Code's own models */
  editor: z.array(z.string()),
  /** servers that run on this machine */
  local: z.array(z.object({ title: z.string(), models: z.int() })),
  /** VS Code can be asked to sign in to Copilot */
  signIn: z.literal(true).optional(),
});
export type ModelWays = z.infer<typeof modelWaysSchema>;

/** Something to do, as the workspace stands. */
const offerSchema = z.object({
  /** a codicon */
  icon: z.string(),
  text: z.string(),
  /** behind the text, quietly */
  detail: z.string().optional(),
  /** what is put into the composer */
  words: z.string().optional(),
  /** the session that is opened instead */
  sessionId: z.string().optional(),
});
export type WorkOffer = z.infer<typeof offerSchema>;

const foundLineSchema = z.object({
  label: z.string(),
  /** where it comes from */
  from: z.string().optional(),
  detail: z.string().optional(),
  warnings: z.array(z.string()).optional(),
  /** it does nothing before the person approves it */
  waits: z.literal(true).optional(),
  /** the file that opens, as people see its path */
  path: z.string().optional(),
  /** where it is approved, chosen or written */
  place: z.enum(["choose-model", "show-hooks", "new-rules"]).optional(),
  /** the model that answers now: another one can be chosen */
  inUse: z.literal(true).optional(),
});
const foundSectionSchema = z.object({ kind: z.string(), title: z.string(), lines: z.array(foundLineSchema) });
export type FoundSection = z.infer<typeof foundSectionSchema>;
export type FoundLine = z.infer<typeof foundLineSchema>;

export const startRequests = {
  /** Looks for what can answer; takes half a second at most. */
  modelWays: { params: empty, result: modelWaysSchema },
  /** What can be done here now: read when the empty state is shown. */
  offers: { params: empty, result: z.object({ offers: z.array(offerSchema) }) },
  /** What was found here: sections with lines, and all of it in a line ("" where nothing was). */
  found: { params: empty, result: z.object({ sections: z.array(foundSectionSchema), summary: z.string() }) },
} as const;
