/**
 * The extension and its mention server: what both say beside the Language Server Protocol. The server has no file system; it
 * asks the extension for lists, kinds and first lines. A root is named by the URI of its folder, a path is relative to it
 * with '/' separators ("": the root itself).
 */
import * as z from "zod";

const placeSchema = z.object({ root: z.string(), path: z.string() });
export type PlaceParams = z.infer<typeof placeSchema>;

const kindSchema = z.enum(["file", "folder"]);

/** How a language writes comments and strings, as its configuration in VS Code has it. */
const commentSyntaxSchema = z.object({
  /** what begins a comment that ends with its line */
  line: z.array(z.string()),
  /** what begins and ends one that may have several */
  block: z.array(z.tuple([z.string(), z.string()])),
  /** of `"`, `'` and backtick those that strings begin with */
  quotes: z.string(),
});
export type CommentSyntax = z.infer<typeof commentSyntaxSchema>;

/** What the server has to know of the window; with `initialize`, and anew whenever it changes. */
export const workspaceSchema = z.object({
  /** `name` is what `@name:path` addresses where there are several; the first is what a path without one is relative to */
  folders: z.array(z.object({ uri: z.string(), name: z.string() })),
  /** by language id, where comments may have mentions; none with `strata.mentions.inComments` off */
  comments: z.record(z.string(), commentSyntaxSchema),
  /** the file system takes names that differ in case only for the same */
  ignoreCase: z.boolean(),
});
export type WorkspaceParams = z.infer<typeof workspaceSchema>;

/** A list of a root's files is out of date: the server asks for it again. */
export const relistSchema = z.object({ root: z.string() });

/** Files and folders that came (ignored ones left out) and went. */
export const changedSchema = z.object({ root: z.string(), created: z.array(z.string()), deleted: z.array(z.string()) });
export type ChangedParams = z.infer<typeof changedSchema>;

/** Where the person is: files in tabs, and those looked at last, newest first. */
export const nearSchema = z.object({ open: z.array(placeSchema), recent: z.array(placeSchema) });
export type NearParams = z.infer<typeof nearSchema>;

/** The next part of list number `list` of a root; a number that is new begins a list and ends the one before. */
export const filesSchema = z.object({ root: z.string(), list: z.int() });
export type FilesParams = z.infer<typeof filesSchema>;
export const filesResultSchema = z.object({ paths: z.array(z.string()), done: z.boolean() });
export type FilesResult = z.infer<typeof filesResultSchema>;

/** What stands at places that the list does not have: an ignored file is one, too. */
export const kindsSchema = z.object({ places: z.array(placeSchema) });
export type KindsParams = z.infer<typeof kindsSchema>;
export const kindsResultSchema = z.array(kindSchema.nullable());

/** A look at a file or folder, for people. `first`: 1-based line to begin with; at most `lines` of them. */
export const lookSchema = placeSchema.extend({ first: z.int().min(1), lines: z.int().min(0).max(100) });
export type LookParams = z.infer<typeof lookSchema>;
export const lookResultSchema = z
  .object({
    kind: kindSchema,
    /** bytes; of a folder: entries */
    size: z.number(),
    /** ms since the epoch; 0: not known */
    mtime: z.number(),
    /** of a folder: the names of its first entries; of a binary or large file none */
    lines: z.array(z.string()),
  })
  .nullable();
export type LookResult = z.infer<typeof lookResultSchema>;

/** For the composer: completion of what stands after `@`. */
export const searchSchema = z.object({ query: z.string().max(1000), limit: z.int().min(1).max(1000) });
export type SearchParams = z.infer<typeof searchSchema>;
export const searchResultSchema = z.object({
  items: z.array(
    z.object({
      kind: kindSchema,
      mention: z.string(),
      path: z.string(),
      positions: z.array(z.number()),
      /** a folder of the workspace, `path` its name: the mention goes on with what is in it */
      root: z.literal(true).optional(),
    }),
  ),
  indexing: z.boolean(),
});

/** Resources that MCP servers offer, as far as they are known; a template has places in `{…}`. */
export const resourcesSchema = z.object({
  resources: z.array(
    z.object({
      server: z.string(),
      uri: z.string(),
      title: z.string(),
      template: z.boolean(),
      mimeType: z.string().optional(),
    }),
  ),
});
export type ResourcesParams = z.infer<typeof resourcesSchema>;

/** Files or folders are about to move: what their mentions in these documents become. */
export const movesSchema = z.object({
  moves: z.array(z.object({ from: z.string(), to: z.string() })),
  documents: z.array(z.object({ uri: z.string(), languageId: z.string(), text: z.string() })),
});
export type MovesParams = z.infer<typeof movesSchema>;
/** An entry per document that changes; UTF-16 offsets into the text that was sent, sorted, not overlapping. */
export const movesResultSchema = z.array(
  z.object({ uri: z.string(), edits: z.array(z.object({ start: z.int(), end: z.int(), text: z.string() })) }),
);
export type MovesResult = z.infer<typeof movesResultSchema>;

/** Of Node, for a process that holds little: its garbage is collected early, and when nobody asks. */
export const serverFlags = ["--max-semi-space-size=1", "--optimize-for-size", "--expose-gc"] as const;

/** The names of the messages. */
export const mentionMethods = {
  /** extension → server, notifications */
  workspace: "strata/workspace",
  relist: "strata/relist",
  changed: "strata/changed",
  near: "strata/near",
  resources: "strata/resources",
  /** extension → server, requests */
  search: "strata/search",
  moves: "strata/moves",
  /** server → extension, requests */
  files: "strata/files",
  kinds: "strata/kinds",
  look: "strata/look",
} as const;
