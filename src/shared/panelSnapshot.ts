/** A session and its surroundings as the host tells them when the panel opens. */
import * as z from "zod";
import { heldSchema } from "./attachProtocol";
import { callerSchema } from "./delegation";
import { agentEventSchema, sessionStateSchema } from "./events";
import { usageSchema } from "./messages";
import { recordSchema } from "./records";
import { permissionModes } from "./settingValues";
import { taskSchema } from "./tasks";
import { calibrationSchema } from "./tokenCount";
import { todoSchema } from "./toolResult";

export const PANEL_PROTOCOL_VERSION = 1;

/** The fields of a question, by their names: options that are chosen (of a boolean: "true"), and text. */
const fieldDraftsSchema = z.record(z.string(), z.object({ chosen: z.array(z.string()), text: z.string() }));
export type FieldDrafts = z.infer<typeof fieldDraftsSchema>;

/** `answers`: of questions that are answered in part, by their ids; `held`: what place holders in the texts stand for */
export const draftSchema = z.object({
  draft: z.string(),
  inFlight: z.array(z.string()),
  answers: z.record(z.string(), fieldDraftsSchema).optional(),
  held: heldSchema.optional(),
});
export type Draft = z.infer<typeof draftSchema>;

/** The conversation's surroundings. Sent whole whenever a part of it changes; a few hundred bytes. */
export const surroundingsSchema = z.object({
  workspace: z.enum(["none", "untrusted", "trusted"]),
  /** names of the roots */
  folders: z.array(z.string()),
  model: z.discriminatedUnion("state", [
    z.object({ state: z.literal("none"), message: z.string() }),
    z.object({
      state: z.literal("ready"),
      name: z.string(),
      address: z.string(),
      contextWindow: z.int(),
      /** It is the default: neither the server nor a person says it. */
      isWindowGuessed: z.literal(true).optional(),
      /** absent: it does, or that is not known */
      seesPictures: z.literal(false).optional(),
      /** how much it thinks; absent: as the provider has it */
      effort: z.string().optional(),
      /** the offline model that plays a script: the panel says so */
      offline: z.boolean(),
    }),
  ]),
  /** The panel hides tool calls, and shows what was said and how turns ended. */
  focusView: z.boolean().optional(),
  /** All sessions on disk take more than `strata.storage.maxBytes`. */
  storage: z.object({ bytes: z.int(), maxBytes: z.int() }).optional(),
});
export type PanelSurroundings = z.infer<typeof surroundingsSchema>;

/** How full the context is: tokens of the newest request, with what was answered to it. */
export const contextUseSchema = z.object({
  /** by the provider's measure, where it reported one */
  tokens: z.int(),
  /** absent: the model's */
  window: z.int().optional(),
  /** absent: the provider reported nothing yet */
  calibration: calibrationSchema.optional(),
  /** by the whole session; absent: not known before it is asked for */
  spent: usageSchema.optional(),
  /** US dollars by all sessions today; absent: none keeps it */
  today: z.number().optional(),
});
export type ContextUsage = z.infer<typeof contextUseSchema>;

/** A file with changes to review. */
export const reviewFileSchema = z.object({
  uri: z.string(),
  path: z.string(),
  kind: z.enum(["edited", "created", "deleted"]),
  changes: z.int(),
  /** lines, where it is looked at change by change */
  added: z.int().optional(),
  removed: z.int().optional(),
  /** turns that made them, ascending */
  turns: z.array(z.int()),
  /** number of the newest edit among them: who keeps them keeps nothing that came later */
  seq: z.int(),
  /** why it can only be kept or left as a whole; absent: change by change */
  why: z.string().optional(),
});
export type ReviewFile = z.infer<typeof reviewFileSchema>;

/** archives that cannot be read: what stood there is not among the records */
export const missingSchema = z.array(z.string()).optional();

/** What going back to before a turn would do. */
export const rewindPreviewSchema = z.object({
  turn: z.int(),
  /** `merged`: it was changed since, and that stays; `during`: of one that is deleted, the command while which it was made */
  files: z.array(
    z.object({
      path: z.string(),
      uri: z.string(),
      becomes: z.enum(["changed", "created", "deleted"]),
      merged: z.boolean(),
      during: z.string().optional(),
    }),
  ),
  /** what stays, and what is not covered, a sentence each */
  stays: z.array(z.string()),
  gaps: z.array(z.string()),
  /** how many leave the conversation */
  turns: z.int(),
});
export type RewindPreview = z.infer<typeof rewindPreviewSchema>;

/** Where the conversation forked: ways on, by their newest record, of which `current` is taken at that message. */
export const forksSchema = z.array(z.object({ messageId: z.string(), tips: z.array(z.int()), current: z.int() }));
export type Forks = z.infer<typeof forksSchema>;

export const snapshotSchema = z.object({
  version: z.literal(PANEL_PROTOCOL_VERSION),
  sessionId: z.string(),
  readOnly: z.boolean(),
  /** why it can only be read, where that is not another window: a sentence. Absent: not so */
  obstacle: z.string().optional(),
  /** another window deleted it; absent: not so */
  deleted: z.literal(true).optional(),
  title: z.string(),
  mode: z.enum(permissionModes),
  state: sessionStateSchema,
  /** the newest records of the session, oldest first, without long texts; their order is `seq` */
  records: z.array(recordSchema),
  /** of another agent's conversation; absent: a person began it */
  caller: callerSchema.optional(),
  /** there are older ones: ask `older` */
  hasOlder: z.boolean(),
  missing: missingSchema,
  /** pending messages that wait for the person, by `pendingId`; absent: as the records say */
  held: z.array(z.string()).optional(),
  /** what has streamed of the answer under way */
  live: z.array(agentEventSchema),
  surroundings: surroundingsSchema,
  /** What the session knows by records that may not be among these; each, where absent, is as the records say. */
  todos: z.array(todoSchema).optional(),
  /** the plan that is carried out; null: none is */
  plan: z.object({ turn: z.int(), title: z.string() }).nullable().optional(),
  pending: z
    .array(z.object({ pendingId: z.string(), delivery: z.enum(["steer", "queue"]), text: z.string() }))
    .optional(),
  /** turns that no compaction summarises */
  pins: z.array(z.int()).optional(),
  /** each no that holds */
  denials: z.array(z.object({ denialId: z.string(), title: z.string(), ts: z.number() })).optional(),
  /** absent: it forked nowhere */
  forks: forksSchema.optional(),
  /** the rewind that can be undone; absent: none */
  rewound: z.string().optional(),
  /** commands in the background, those that ended too; absent: there are none */
  tasks: z.array(taskSchema).optional(),
  /** as the message of that name; absent: none */
  waiting: z.array(z.string()).optional(),
  /** as the message of that name; absent: none, or not known yet */
  review: z.array(reviewFileSchema).optional(),
  /** what was typed for it and not sent; absent: nothing */
  draft: draftSchema.optional(),
});
export type PanelSnapshot = z.infer<typeof snapshotSchema>;
