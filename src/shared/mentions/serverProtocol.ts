/**
 * The extension and its mention server: what both say beside the Language Server Protocol, in four messages. The server has no
 * file system: the extension tells it which files there are, and looks at places for it. A root is named by the URI of its
 * folder, a path is relative to it with '/' separators ("": the root itself).
 */
import * as z from "zod";

const placeSchema = z.object({ root: z.string(), path: z.string() });
export type PlaceParams = z.infer<typeof placeSchema>;

const kindSchema = z.enum(["file", "folder"]);

const workspaceSchema = z.object({
  /** `name` is what `@name:path` addresses where there are several; the first is what a path without one is relative to */
  folders: z.array(z.object({ uri: z.string(), name: z.string() })),
  /** comments of code may have mentions: `strata.mentions.inComments` */
  comments: z.boolean(),
  /** the file system takes names that differ in case only for the same */
  ignoreCase: z.boolean(),
});
export type WorkspaceParams = z.infer<typeof workspaceSchema>;

/** Where the person is: files in tabs, and those looked at last, newest first. */
const nearSchema = z.object({ open: z.array(placeSchema), recent: z.array(placeSchema) });
export type NearParams = z.infer<typeof nearSchema>;

/** Of an MCP server, as far as it is known; a template has places in `{…}`. */
const resourceSchema = z.object({
  server: z.string(),
  uri: z.string(),
  title: z.string(),
  template: z.boolean(),
  mimeType: z.string().optional(),
});

/** The sentences of the person's language, with `initialize`; absent: English. */
export const translationSchema = z.object({ translation: z.record(z.string(), z.string()).optional() });

/** What the server has to know of the window: the workspace with `initialize`, later whatever changed. */
export const windowSchema = z
  .object({ workspace: workspaceSchema, near: nearSchema, resources: z.array(resourceSchema) })
  .partial();
export type WindowParams = z.infer<typeof windowSchema>;

/** A part of a list of a root's files. Until a list ended well, the one before it counts. */
export const filesSchema = z.object({
  root: z.string(),
  paths: z.array(z.string()),
  /** it is the first part: what was told of an unfinished list is void */
  begins: z.literal(true).optional(),
  /** it is the last one; `failed`: files may be missing */
  ends: z.enum(["whole", "failed"]).optional(),
});
export type FilesParams = z.infer<typeof filesSchema>;

/** What stands at places, of which a list need not have any: an ignored file is one, too. `lines`: those to show of them. */
export const lookSchema = z.object({
  places: z.array(placeSchema),
  lines: z.object({ first: z.int().min(1), most: z.int().min(1).max(100) }).optional(),
});
export type LookParams = z.infer<typeof lookSchema>;
export const lookResultSchema = z.array(
  z
    .object({
      kind: kindSchema,
      /** bytes; of a folder that is shown: entries */
      size: z.number(),
      /** ms since the epoch; 0: not known */
      mtime: z.number(),
      /** of a folder: the names of its first entries; of a binary or large file none */
      lines: z.array(z.string()),
    })
    .nullable(),
);
export type LookResult = z.infer<typeof lookResultSchema>;

/** For the composer: completion of what stands after `@`, by files and folders (`completionSchema`). */
export const searchSchema = z.object({ query: z.string().max(1000), limit: z.int().min(1).max(1000) });
export type SearchParams = z.infer<typeof searchSchema>;

/** Of Node, for a process that holds little: its garbage is collected early, and when nobody asks. */
export const serverFlags = ["--max-semi-space-size=1", "--optimize-for-size", "--expose-gc"] as const;

/** The names of the messages. */
export const mentionMethods = {
  /** extension → server, notifications */
  window: "strata/window",
  files: "strata/files",
  /** extension → server, a request */
  search: "strata/search",
  /** server → extension, a request */
  look: "strata/look",
} as const;
