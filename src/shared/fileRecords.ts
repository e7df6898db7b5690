/** What became of files beside the agent's edits, which stand in results: commands, and what a person took back or looked at. */
import * as z from "zod";
import { resultRefSchema } from "./compaction";
import { base } from "./recordBase";
import { storedSchema } from "./toolResult";

/** sha256 of the snapshots with the file's text before and after this; null: no file; absent: not kept, or nothing was put back */
const states = { before: z.string().nullable().optional(), after: z.string().nullable().optional() };
/** How the file was stored that this took away: sha256 of its bytes, and its permissions; absent: it took none, or nobody can tell. */
const stored = storedSchema.optional();
/** lines, by this */
const lines = { added: z.int(), removed: z.int() };

const revertFields = {
  kind: z.literal("revert"),
  direction: z.enum(["undo", "redo"]),
  /** of the edits */
  turn: z.int(),
  uri: z.string(),
  path: z.string(),
  /** the calls that made them, oldest first */
  edits: z.array(resultRefSchema),
  ...states,
  stored,
  ...lines,
};

const reviewFields = {
  kind: z.literal("review"),
  action: z.enum(["keep", "undo", "restore"]),
  uri: z.string(),
  path: z.string(),
  /** Number of the newest record of the file that counts in it: an edit that was logged since waits for its review. */
  upTo: z.int(),
  /** sha256 of the snapshots with the text that is reviewed, and with the agent's; null: no file; absent: as before */
  base: z.string().nullable().optional(),
  agent: z.string().nullable().optional(),
  ...states,
  stored,
  /** how many */
  changes: z.int(),
  ...lines,
  /** where it was, in lines of what the agent left, for the model; absent: it has nothing to hear */
  text: z.string().optional(),
  /** the file is gone by this */
  gone: z.literal(true).optional(),
  /** a commit had it, nobody pressed anything */
  by: z.literal("commit").optional(),
  /** what was taken back with others in one step, and is made again with them: the same for all of these */
  step: z.string().optional(),
};

export const fileRecords = [
  /** A person took edits of a file back, or made them again: the file has it, the model hears of it with its next request. */
  z.object({ ...base, ...revertFields }),
  /** What a command did to files of the workspace: what a rewind puts back. Of every command that was watched, changes or not. */
  z.object({
    ...base,
    kind: z.literal("commandFiles"),
    turn: z.int(),
    callId: z.string(),
    /** number of the record after which it ran */
    since: z.int(),
    /** how many */
    files: z.int(),
    /** sha256 of the snapshot with the list of them (`shared/fileStates.ts`); absent: it could not be kept */
    list: z.string().optional(),
    /** what is not in it, a sentence each */
    gaps: z.array(z.string()),
  }),
  /** A person went back to before a message. `begun` stands before the first file, `done` after the last; else only `done`. */
  z.object({
    ...base,
    kind: z.literal("rewind"),
    rewindId: z.string(),
    phase: z.enum(["begun", "done"]),
    /** the rewind that this one takes back */
    undoes: z.string().optional(),
    /** A crash, or a full disk, ended it; this `done` says how far it came. */
    cutOff: z.literal(true).optional(),
    /** before the user's message that opened this turn */
    turn: z.int(),
    /** the beginning of that message, for people */
    message: z.string().optional(),
    /** how many files are, or were, put back, and sha256 of the snapshot with their list; absent: files stay as they are */
    files: z.int().optional(),
    list: z.string().optional(),
    /** the first of these files, for the model: as FileRef.path */
    paths: z.array(z.string()).optional(),
    /** what stayed as it is, a sentence each */
    stayed: z.array(z.string()).optional(),
    /** Of a rewind of the conversation alone: how many files stayed that could have been put back, and the first of them. */
    left: z.object({ files: z.int(), paths: z.array(z.string()) }).optional(),
    /** The conversation goes on from the record with this number, all behind it is another branch. Absent: as it was. */
    head: z.int().nonnegative().optional(),
  }),
  /**
   * A person went over what the agent changed in a file: kept changes, took some back, or put back what they had taken back.
   * What is left to look at lies between the two texts that it names; neither: nothing.
   */
  z.object({ ...base, ...reviewFields }),
  /** A file is about to be changed for one of these: `begun` stands before that, `left` says that it was not done. */
  z.object({
    ...base,
    kind: z.literal("intent"),
    phase: z.enum(["begun", "left"]),
    /** what follows once the file is changed; where neither that nor `left` does, the process ended in between */
    record: z.discriminatedUnion("kind", [z.object(revertFields), z.object(reviewFields)]),
    /** sha256 of the file's text before and after, its line ends LF; null: no file */
    from: z.string().nullable(),
    to: z.string().nullable(),
  }),
] as const;
