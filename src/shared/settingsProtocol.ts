/** What the page of settings asks: rows with values and where they were set, what is known beside them, and changes. */
import * as z from "zod";
import { foundSectionSchema } from "./startProtocol";

const empty = z.object({});

export const settingsPages = ["model", "permissions", "tools", "skills", "hooks", "storage"] as const;
export type SettingsPageName = (typeof settingsPages)[number];

const pageSchema = z.enum(settingsPages);

const settingRowSchema = z.object({
  name: z.string(),
  page: pageSchema,
  /** its name in words */
  title: z.string(),
  /** what it means: plain text */
  meaning: z.string(),
  /** `file`: it is edited where it stands */
  kind: z.enum(["switch", "choice", "number", "text", "list", "file"]),
  value: z.json(),
  choices: z.array(z.object({ value: z.string(), label: z.string(), words: z.string().optional() })).optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  /** of a number, what holds where nobody sets it; null: found out by itself */
  byDefault: z.number().nullable().optional(),
  /** where it was set */
  source: z.enum(["default", "user", "workspace", "folder", "managed"]),
  /** why it cannot be changed here, a sentence; absent: it can */
  locked: z.string().optional(),
});
export type SettingRow = z.infer<typeof settingRowSchema>;

const actSchema = z.enum([
  "try-command",
  "review-hooks",
  "open-log",
  "log-level",
  "remove-sessions",
  "restore-session",
]);
export type SettingsAct = z.infer<typeof actSchema>;

const wantedSchema = z.object({ page: pageSchema, nth: z.int() });
/** The page that somebody wants to see; `nth` tells one wish from the next. */
export type WantedPage = z.infer<typeof wantedSchema>;

const named = z.object({ name: z.string() });

export const settingsRequests = {
  /** `wanted`: said in every answer, since one may be passed over for a newer one */
  settings: { params: empty, result: z.object({ rows: z.array(settingRowSchema), wanted: wantedSchema.optional() }) },
  /** What there is beside the settings of a page. */
  settingsFacts: {
    params: z.object({ page: pageSchema }),
    result: z.object({ facts: z.array(z.object({ page: pageSchema, section: foundSectionSchema })) }),
  },
  /** `value` absent: as it is by default */
  setSetting: { params: named.extend({ value: z.json().optional() }), result: empty },
  /** Opens the file in which it stands, or would. */
  editSetting: { params: named, result: empty },
  /** Asks whether the hooks of this file may run, or whether they still may; answered once the person did. */
  decideHooks: { params: z.object({ path: z.string() }), result: empty },
  settingsAct: { params: z.object({ act: actSchema }), result: empty },
} as const;
