/**
 * Panel and extension host. The panel sends requests, each answered once (a failure rejects it, it never waits for ever);
 * the host sends events. The panel opens on one windowed snapshot and then reduces events: the host never sends the whole
 * conversation. Records travel without their long texts (`toPanelRecord`); those come on demand (`printed`).
 */
import * as z from "zod";
import { approvalAnswerSchema } from "./approval";
import { keptPictureSchema } from "./attachProtocol";
import { contextRequests } from "./contextProtocol";
import { agentEventSchema } from "./events";
import { findRequests, mentionRequests } from "./findProtocol";
import { mcpRequests } from "./mcp";
import { act, ask } from "./panelRequest";
import {
  contextUseSchema,
  draftSchema,
  forksSchema,
  missingSchema,
  reviewFileSchema,
  rewindPreviewSchema,
  snapshotSchema,
  surroundingsSchema,
} from "./panelSnapshot";
import { questionReplySchema } from "./question";
import { recordSchema } from "./records";
import { sessionRequests } from "./sessionsProtocol";
import { permissionModes } from "./settingValues";
import { fileChangeSchema } from "./toolResult";

const taskRef = { taskId: z.string() };
const childRef = { childId: z.string() };

/** What a turn made of a file: from before its first edit to after its last one, without edits that were undone. */
const turnFileSchema = z.object({
  uri: z.string(),
  path: z.string(),
  /** it was not there before; it is not there any more */
  created: z.boolean(),
  deleted: z.boolean(),
  /** lines */
  added: z.int(),
  removed: z.int(),
  /** how many edits there are, and how many of them are undone */
  edits: z.int(),
  undone: z.int(),
  /** why they cannot be undone all together; absent: it can be tried */
  why: z.string().optional(),
});
export type TurnFile = z.infer<typeof turnFileSchema>;

/** An edit of a file by a call; `messageId` where it is known: some providers give the ids of calls twice */
const editSchema = z.object({ callId: z.string(), uri: z.string(), messageId: z.string().optional() });
const turnFileNameSchema = z.object({ turn: z.int(), uri: z.string() });

const planRef = { key: z.string() };

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

/** Something to do in this workspace. */
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

/** The parts of the page of tools and rules, in their order. */
export const toolSections = [
  "model",
  "servers",
  "skills",
  "hooks",
  "rules",
  "bindings",
  "permissions",
  "denials",
] as const;
export type ToolSectionName = (typeof toolSections)[number];

const toolRowSchema = z.object({
  name: z.string(),
  /** a codicon */
  icon: z.string().optional(),
  /** "needs approval" */
  state: z.string().optional(),
  from: z.string().optional(),
  /** where it opens: a sentence, and what is in it */
  detail: z.string().optional(),
  lines: z.array(z.string()).optional(),
  warnings: z.array(z.string()).optional(),
  /** the file that opens, as people see its path; "": one to be created */
  path: z.string().optional(),
  /**
   * of a workspace's hooks, what an approval is bound to; `question` until the person approved: sentences, and all of the text
   * that would run
   */
  approval: z
    .object({ key: z.string(), question: z.object({ words: z.array(z.string()), exact: z.string() }).optional() })
    .optional(),
  /** of a no that holds: what lifts it */
  denialId: z.string().optional(),
  /** a sentence of a rules file: whose settings it may be bound in, the likelier first; one: it is bound there, and may be unbound */
  binding: z.object({ key: z.string(), to: z.array(z.enum(["user", "workspace"])) }).optional(),
});
/** `none`: a sentence for where there are no rows */
const toolSectionSchema = z.object({ name: z.enum(toolSections), rows: z.array(toolRowSchema), none: z.string() });
export type ToolSection = z.infer<typeof toolSectionSchema>;
export type ToolRow = z.infer<typeof toolRowSchema>;

/** What the panel can show in the conversation's place. */
const panelSubviews = ["sessions", "context"] as const;
export type PanelSubview = (typeof panelSubviews)[number] | ToolSectionName;

/** Request name → what it takes and what it gives. The host has a handler for each (a typed table). */
export const panelRequests = {
  open: ask({}, snapshotSchema),
  /** `delivery` counts only while a turn runs; an idle session starts a turn. */
  submit: act({
    text: z.string(),
    delivery: z.enum(["steer", "queue"]),
    pictures: z.array(keptPictureSchema).optional(),
  }),
  /** What a reload of the window must not lose: the texts in the composer and in questions, and messages on their way, oldest first. `sessionId`: whose; absent: of the one that is shown */
  keepDraft: act({ ...draftSchema.shape, sessionId: z.string().optional() }),
  stop: act({}),
  /** Go on after an error, a stop, a limit or a crash, without a new message. */
  resume: act({}),
  answer: act(approvalAnswerSchema.omit({ by: true, edited: true }).extend({ approvalId: z.string() }).shape),
  /** Answers a question that allows nothing: the agent's, or a server's. */
  reply: act({ ...questionReplySchema.shape, questionId: z.string() }),
  editPending: act({ pendingId: z.string(), text: z.string() }),
  /** The person is changing it: it is not sent before they are done. */
  beginEdit: act({ pendingId: z.string() }),
  endEdit: act({ pendingId: z.string() }),
  removePending: act({ pendingId: z.string() }),
  /** Sends a held message now: it starts a turn, or joins the one that runs. */
  sendPending: act({ pendingId: z.string() }),
  /** Plans by the id of their record. A proposed one opens to be edited, one that is carried out as it was then. */
  openPlan: act(planRef),
  /** Starts the work with the plan in the editor, saved or not. */
  carryOutPlan: act({ ...planRef, mode: z.enum(permissionModes) }),
  /** What was changed and remarked in the editor goes to the agent, in plan mode. */
  sendPlanBack: act(planRef),
  /** The one that was begun in this turn. */
  endPlan: act({ turn: z.int() }),
  setMode: act({ mode: z.enum(permissionModes) }),
  /** Takes a no back: by its id or words of its name, "all", or "" for the only one. `by`: what the person did */
  lift: act({ which: z.string(), by: z.enum(["user", "message"]) }),
  newSession: ask({}, snapshotSchema),
  openSession: ask({ id: z.string() }, snapshotSchema),
  /** records before `seq`, oldest first; `until`: all down to that number, and some before it */
  older: ask(
    { before: z.int(), until: z.int().optional() },
    z.object({ records: z.array(recordSchema), hasOlder: z.boolean(), missing: missingSchema }),
  ),
  /** `line` to `to` and `column` count from 1 */
  openFile: act({
    path: z.string(),
    line: z.int().optional(),
    column: z.int().optional(),
    to: z.int().optional(),
  }),
  /** the diff of an edit in VS Code's diff editor */
  openDiff: act({ callId: z.string(), uri: z.string() }),
  /** a proposed edit in VS Code's diff editor, where it can be changed before it is answered */
  openProposal: act({ approvalId: z.string() }),
  /** the files that a turn changed, so far where it runs */
  turnChanges: ask({ turn: z.int() }, z.object({ files: z.array(turnFileSchema), missing: missingSchema })),
  /** what the turn did and why, from the log, in a read-only editor */
  explainTurn: act({ turn: z.int() }),
  /** which instructions were in view of an answer, or of a call, in a read-only editor */
  openInView: act({ requestId: z.string().optional(), callId: z.string().optional() }),
  /** a file now and before the turn, in VS Code's diff editor */
  openTurnDiff: act(turnFileNameSchema.shape),
  /** all files of the turn so, in VS Code's multi-file diff */
  openTurnDiffs: act({ turn: z.int() }),
  /** all files that a child changed, as they were before it, in its working tree too */
  openChildDiffs: act(childRef),
  /** Ends a child with all that it started. */
  stopChild: act(childRef),
  /** Takes an edit back, beside what was typed since; rejected with the reason where that cannot be. */
  undoEdit: act(editSchema.shape),
  redoEdit: act(editSchema.shape),
  /** All edits of the turn on that file, or none. */
  undoFile: act(turnFileNameSchema.shape),
  redoFile: act(turnFileNameSchema.shape),
  /** What the agent changed in these files was looked at: it waits no more. What came behind the edit `seq` does. */
  keepChanges: act({ files: z.array(reviewFileSchema.pick({ uri: true, seq: true })) }),
  /** a recorded output, whole, in a read-only editor; `obs:` and at least 12 characters */
  openHandle: act({ handle: z.string() }),
  /** what went out for an attachment of a message, in a read-only editor */
  openAttachment: act({ messageId: z.string() }),
  /** Ends a background task with all that it started; events tell when it is over. */
  stopTask: act(taskRef),
  /** what it prints, in a terminal that follows it */
  openTask: act(taskRef),
  /** Takes one that ended off the list. */
  dismissTask: act(taskRef),
  /** a terminal in the folder of a Bash call, with its command typed and not run */
  openTerminal: act({ callId: z.string() }),
  /** Begins to compact history, up to that turn; events tell its progress. Refused while the agent works. */
  compact: act({ guidance: z.string().optional(), upTo: z.int().optional() }),
  /** History stays unchanged; a turn that waits for the compaction continues. */
  cancelCompaction: act({}),
  /** The id is that of the compaction's record: refused where another one would be undone or redone. */
  undoCompaction: act({ compactionId: z.string() }),
  redoCompaction: act({ compactionId: z.string() }),
  /** what going back to before a turn would do; changes nothing */
  previewRewind: ask({ turn: z.int() }, rewindPreviewSchema),
  /** Resolves when it is done; what stayed is in its record. `turn` absent: the newest one whose files were not put back */
  rewind: act({ turn: z.int().optional(), what: z.enum(["files", "conversation", "both"]) }),
  /** Refused where another one would be undone. Absent: the newest */
  undoRewind: act({ rewindId: z.string().optional() }),
  /** Goes over to another branch; `tip`: as the fork of the snapshot has it */
  switchBranch: act({ tip: z.int() }),
  /** what a compaction would do now, in a read-only editor */
  previewCompaction: act({}),
  /** what a compaction left out, in a read-only editor */
  openLeftOut: act({ compactionId: z.string() }),
  /** a pinned turn stays word for word in every compaction */
  pin: act({ turn: z.int(), pinned: z.boolean() }),
  /** what the session cost, a line each, for people */
  costs: ask({}, z.object({ lines: z.array(z.string()) })),
  /** skills and prompts that a message can call by `/name`, by name */
  callable: ask(
    {},
    z.object({
      names: z.array(
        z.object({
          name: z.string(),
          description: z.string(),
          hint: z.string(),
          takes: z.array(z.string()).optional(),
          needs: z.array(z.string()).optional(),
          unseen: z.literal(true).optional(),
        }),
      ),
    }),
  ),
  /** Keeps a picture for a message of the session that is shown; rejected with its fault. */
  keepPicture: ask({ name: z.string(), base64: z.string() }, keptPictureSchema),
  /** What a text was copied from: the mention of those lines, where an editor has exactly this text selected. */
  copiedFrom: ask({ text: z.string() }, z.object({ mention: z.string().nullable() })),
  ...mentionRequests,
  ...mcpRequests,
  ...sessionRequests,
  ...contextRequests,
  /**
   * What came of a call: of a command what it printed, as the terminal had it, of others the whole shown text. The whole is in
   * `first` where it is short, else its beginning and its end.
   * `hidden`: what lies between; `handle` leads to the whole, and is absent where it is not kept
   */
  printed: ask(
    { callId: z.string() },
    z.object({
      first: z.string(),
      last: z.string(),
      hidden: z.object({ lines: z.int(), bytes: z.int() }).optional(),
      handle: z.string().optional(),
    }),
  ),
  /** An answer as Markdown, in an editor; `pasted`: no Markdown, but a text of the message that is written. */
  openAnswer: act({ markdown: z.string(), pasted: z.literal(true).optional() }),
  /** Makes again what a review took back of a file last, and with it all that was taken back in the same step. */
  redoReview: act({ uri: z.string() }),
  /** Looks for what can answer; takes half a second at most. */
  modelWays: ask({}, modelWaysSchema),
  /** What can be done here now: read when the empty state is shown. */
  offers: ask({}, z.object({ offers: z.array(offerSchema) })),
  /** What there is for the agent here, in a line; "": nothing. */
  found: ask({}, z.object({ summary: z.string() })),
  /** The same and the rules in force, as rows. */
  tools: ask({}, z.object({ sections: z.array(toolSectionSchema) })),
  /** Agrees to a workspace's hooks as they were shown under this key, or takes that back. Refused where there are none such any more. */
  approveHooks: act({ key: z.string(), yes: z.boolean() }),
  /** Binds a sentence as it was shown under this key, or unbinds the entry that this is. Refused where it is not there any more. */
  bind: act({ key: z.string(), to: z.enum(["user", "workspace"]) }),
  /** Asks the model for small things for rules of sentences that no form knows: they are proposed from then on. */
  /** What would be decided about a command, and why; with a codicon. */
  tryCommand: ask({ command: z.string().max(20_000) }, z.object({ icon: z.string(), words: z.string() })),
  ...findRequests,
  /** Puts messages that wait into this order; all of them wait for the same: to be sent by themselves, or by the person. */
  orderPending: act({ pendingIds: z.array(z.string()).min(2).max(1000) }),
  /** The page got the focus, and commands are about its session; or it lost it, and keys of the panel hold no more. */
  pageFocus: act({ focused: z.boolean() }),
  /** one of the actions that an error, a banner or an empty state offers */
  action: act({
    action: z.enum([
      ...["set-key", "choose-model", "check-connection", "show-log", "help", "trust", "open-folder"],
      ...["remove-sessions", "storage-limit", "export-session", "show-tools", "show-servers", "show-skills"],
      ...["set-time", "set-longest", "set-largest", "set-protocol"],
      ...["review-next", "review-undo-all", "show-help", "copilot-sign-in"],
      ...["use-editor-model", "paste-key", "use-local-server", "get-started", "try-demo"],
      ...["show-hooks", "show-permissions", "permission-settings", "new-rules", "context-help", "set-window"],
    ] as const),
  }),
} as const;
type PanelRequests = typeof panelRequests;
export type PanelMethod = keyof PanelRequests;
export type PanelParams<M extends PanelMethod> = z.infer<PanelRequests[M]["params"]>;
export type PanelResult<M extends PanelMethod> = z.infer<PanelRequests[M]["result"]>;

export const panelToHostSchema = z.object({
  id: z.int(),
  method: z.enum(Object.keys(panelRequests) as [PanelMethod, ...PanelMethod[]]),
  params: z.unknown(),
});
export type PanelToHost = z.infer<typeof panelToHostSchema>;

export const hostToPanelSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("reply"), id: z.int(), ok: z.literal(true), result: z.unknown() }),
  z.object({ type: z.literal("failure"), id: z.int(), ok: z.literal(false), message: z.string() }),
  /** events of the session that is open, batched in arrival order */
  z.object({ type: z.literal("events"), sessionId: z.string(), events: z.array(agentEventSchema) }),
  /** the host opened another session (command, other window gave way): replace everything */
  z.object({ type: z.literal("snapshot"), snapshot: snapshotSchema }),
  z.object({ type: z.literal("surroundings"), surroundings: surroundingsSchema }),
  /** Files came or went: what mentions name may have changed. */
  z.object({ type: z.literal("filesChanged") }),
  /** A state or a list of an MCP server, or how they are configured: who shows them asks anew. */
  z.object({ type: z.literal("mcpChanged") }),
  /** A state, a name or a place in the trash of some session: who shows a list of them asks anew. */
  z.object({ type: z.literal("sessionsChanged") }),
  /** The person asked for a view in the conversation's place (asked for again, it closes), or a part of the page of tools. */
  z.object({ type: z.literal("show"), view: z.enum([...panelSubviews, ...toolSections]) }),
  /** The person wants to find something in the conversation, or to see the item with this key: its record has that number. */
  z.object({ type: z.literal("find") }),
  z.object({ type: z.literal("reveal"), key: z.string(), seq: z.int() }),
  /** The sessions of this window, by id, that wait for an answer; the one that is shown may be among them. */
  z.object({ type: z.literal("waiting"), sessionIds: z.array(z.string()) }),
  /** The files of the session with changes to review; the one changed last at the end. */
  z.object({ type: z.literal("review"), sessionId: z.string(), files: z.array(reviewFileSchema) }),
  /** How full the context would be with the next request: counted behind what is shown of a session. */
  z.object({ type: z.literal("counted"), sessionId: z.string(), use: contextUseSchema }),
  /** The conversation forked: a message went out after it was rewound. */
  z.object({ type: z.literal("forks"), sessionId: z.string(), forks: forksSchema }),
  /** The person changed a proposal in the diff editor: what would be done now. */
  z.object({ type: z.literal("revised"), approvalId: z.string(), change: fileChangeSchema }),
  /**
   * Changes the composer: a `mention` goes in before all that was typed since the person came, unless it is there; `remove` takes
   * it out if nothing was typed since; `moved` likewise where it is all there is, since it went out from another composer of the
   * session, or is in that now: the kept draft is for that one to change.
   */
  z.object({
    type: z.literal("compose"),
    op: z.enum(["mention", "remove", "moved"]),
    text: z.string(),
    focus: z.boolean(),
  }),
]);
export type HostToPanel = z.infer<typeof hostToPanelSchema>;
