import * as z from "zod";
import { compactionFields, resultRefSchema } from "./compaction";
import { conversationRecords } from "./conversationRecords";
import { fileRecords } from "./fileRecords";
import { usageSchema } from "./messages";
import { base } from "./recordBase";
import { modelLimitsSchema, sessionModelSchema } from "./sessionModel";
import { permissionModes } from "./settingValues";
import { todoSchema } from "./toolResult";

export const LOG_VERSION = 1;

export const headerSchema = z.object({
  kind: z.literal("header"),
  version: z.int(),
  sessionId: z.string(),
  /** ms since the epoch */
  created: z.number(),
  /** the id under which it was begun, where that was another: what was hidden in it then can be put back in it now */
  family: z.string().optional(),
  archives: z.array(z.string()),
});
export type LogHeader = z.infer<typeof headerSchema>;

/** What the model no longer sees in full, and what stands in for it. */
const compactionRecords = [
  /** Forms change: these observations are sent folded from here on, and turns that ended as their age says. */
  z.object({
    ...base,
    kind: z.literal("fold"),
    results: z.array(resultRefSchema),
    /** From here on the results of all turns up to this one are sent as kept. */
    settled: z.int().optional(),
    /** of those: results that stay as shown, as long as their turn is settled */
    whole: z.array(resultRefSchema).optional(),
    /**
     * From here on these turns are sent brief: what was said, `text` for all that was done (with its tags, as it is sent), and what the
     * model said without a call. `messageId`: the turn's last answer, before which it stands.
     */
    brief: z.array(z.object({ turn: z.int(), messageId: z.string(), text: z.string() })).optional(),
  }),
  /** A turn that no compaction summarises. */
  z.object({ ...base, kind: z.literal("pin"), turn: z.int(), pinned: z.boolean() }),
  /** Summaries took the place of messages; the records that went stand in its archive (docs/context.md). */
  z.object({ ...base, kind: z.literal("compaction"), ...compactionFields }),
  /** The originals are back in the place of that compaction's summary. */
  z.object({ ...base, kind: z.literal("undo"), compactionId: z.string() }),
  z.object({ ...base, kind: z.literal("redo"), compactionId: z.string() }),
] as const;

/** What holds for a session beside its conversation: title, mode, model, plans, tasks, notes. */
const sessionRecords = [
  z.object({ ...base, kind: z.literal("todo"), todos: z.array(todoSchema) }),
  /** What the session is called. By a model: with the request that asked it, and what that took. */
  z.object({
    ...base,
    kind: z.literal("title"),
    title: z.string(),
    /** whether it stands at the top of lists; absent: as it was */
    pinned: z.boolean().optional(),
    requestId: z.string().optional(),
    model: z.string().optional(),
    usage: usageSchema.optional(),
  }),
  z.object({ ...base, kind: z.literal("mode"), mode: z.enum(permissionModes) }),
  /** A plan: as the model wrote it in plan mode, or as the person had it carried out. */
  z.object({
    ...base,
    kind: z.literal("plan"),
    op: z.enum(["proposed", "carried-out"]),
    /** in which it was proposed, or in which it is carried out */
    turn: z.int(),
    /** of its first heading; "": it has none */
    title: z.string(),
    /** of its checklist, or its numbered steps */
    steps: z.int(),
    /** Markdown */
    text: z.string(),
  }),
  /** A person ended the plan that was carried out: it stands in no request any more. */
  z.object({
    ...base,
    kind: z.literal("planEnd"),
    /** in which it was carried out */
    turn: z.int(),
    /** as its `plan` record has it */
    title: z.string(),
  }),
  /** Which model answers from here on, and how much it thinks; what is absent is as the settings have it. */
  z.object({ ...base, kind: z.literal("model"), ...sessionModelSchema.shape }),
  /** What was learnt of models by asking them, all of it from here on; for another model, or another window, none of it holds. */
  z.object({ ...base, kind: z.literal("modelLimits"), ...modelLimitsSchema.shape }),
  /** Something a person should know later too: a repair, a rules file that was cut. Not for the model. */
  z.object({
    ...base,
    kind: z.literal("note"),
    level: z.enum(["info", "warning", "error"]),
    code: z.string(),
    text: z.string(),
  }),
] as const;

export const recordSchema = z.discriminatedUnion("kind", [
  ...conversationRecords,
  ...sessionRecords,
  ...compactionRecords,
  ...fileRecords,
]);
export type LogRecord = z.infer<typeof recordSchema>;
export type RecordKind = LogRecord["kind"];
export type RecordOf<K extends RecordKind> = Extract<LogRecord, { kind: K }>;
/** A record before the history gave it its id, number and time. */
export type NewRecord = { [K in RecordKind]: Omit<RecordOf<K>, "id" | "seq" | "ts"> & { id?: string } }[RecordKind];
