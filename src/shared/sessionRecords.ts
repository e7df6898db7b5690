/** What holds for a session beside its conversation: title, mode, model, plans, tasks, notes. */
import * as z from "zod";
import { usageSchema } from "./messages";
import { base } from "./recordBase";
import { modelLimitsSchema, sessionModelSchema } from "./sessionModel";
import { permissionModes } from "./settingValues";
import { todoSchema } from "./toolResult";

export const sessionRecords = [
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
