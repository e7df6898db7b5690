/** A call that was refused, and what it would have done: later calls that would do the same ask. */
import * as z from "zod";
import { formatClockTime } from "./format";
import { t } from "./l10n";
import { actionTitle } from "./outcomeSaid";

/** What a refused call would have done, as far as later calls can be compared with it. */
const denialFactsSchema = z.object({
  /** what it would have changed: absolute paths, '/' separators; of a foreign tool's input also ends of paths: `data/a.csv` */
  files: z.array(z.string()),
  /** those of them that would be gone or emptied: a file in such a folder counts too */
  removes: z.array(z.string()),
  /** what it would only have read */
  reads: z.array(z.string()),
  /** programs and foreign tools: the deed, then each word that mattered: ["git:push", "main"] */
  acts: z.array(z.array(z.string())),
  /** machines that it would have reached */
  hosts: z.array(z.string()),
});
export type DenialFacts = z.infer<typeof denialFactsSchema>;

export const denialSchema = z.object({
  denialId: z.string(),
  /** ms since the epoch */
  ts: z.number(),
  callId: z.string(),
  toolName: z.string(),
  /** what it would have done, without secrets: "Run `npm test`" */
  title: z.string(),
  by: z.enum(["user", "rule", "hook"]),
  /** the rule that forbade it, or the hook's command */
  rule: z.string().optional(),
  /** what the person said with their no */
  words: z.string().optional(),
  facts: denialFactsSchema,
});
export type Denial = z.infer<typeof denialSchema>;

/** As the conversation knows it. `seq`: number of its record */
export type LoggedDenial = Denial & { seq: number };

// What people read of it, and what they say to take it back.

/** "`rm -r data`", "Edit a.ts" */
export const deniedName = ({ title }: { title: string }): string =>
  /^Run (`.*`)/s.exec(title)?.[1] ?? actionTitle({ title });

/** "You said no to `rm -r data` at 14:02". @param now ms since the epoch */
export function deniedWords(denial: Denial, now: number): string {
  const [name, time] = [deniedName(denial), formatClockTime(denial.ts, now)];
  if (denial.by === "user") return t("You said no to {0} at {1}", name, time);
  const { rule = "" } = denial;
  return denial.by === "rule"
    ? t("The rule `{0}` forbade {1} at {2}", rule, name, time)
    : t("The hook `{0}` forbade {1} at {2}", rule, name, time);
}

// A message that takes a no back. Nothing is lifted before a click: it is only offered, and only where the words are plain.

/** Enough where one no holds. */
const plainly =
  /\byou (?:may|can) now\b|\bgo ahead\b|\bit'?s (?:ok|okay|fine) (?:now to\b|to\b.{1,80}\bnow\b)|\ballow (?:it|that|this)\b|可以.{1,40}了|允许(?:它|这|该)/i;
/** Where it names what was denied, too. */
const maybe =
  /\byou (?:may|can) (?:now )?(?:run|do|use|go|git|delete|remove|edit|change|write|push|install|call)\b|\bit'?s (?:ok|okay|fine) to\b|\ballow (?:the|running)\b|允许/i;
const negated = /\b(?:not|never|don'?t|cannot|can'?t)\b|不|别/i;
/** A longer message is about something else. */
const LONGEST = 600;

/** The one that a person's words plainly take back; undefined: none, or it is not clear which. */
export function takenBack<D extends { title: string }>(text: string, denials: readonly D[]): D | undefined {
  if (denials.length === 0 || text.length > LONGEST) return undefined;
  const sentences = text.match(/[^!?\n。！？]+[!?。！？]?/g) ?? [];
  const said = sentences.filter(each => maybe.test(each) || plainly.test(each)).filter(each => !/[?？]$/.test(each));
  const words = said.filter(each => !negated.test(each)).join("\n");
  if (words === "") return undefined;
  const counts = denials.map(denial => namesIn(words, deniedName(denial)));
  const most = Math.max(...counts);
  const named = denials.filter((_, at) => counts[at] === most);
  return named.length === 1 && (most > 0 || plainly.test(words)) ? named[0] : undefined;
}

/** How many of its words, options left out, stand in a text. */
function namesIn(text: string, name: string): number {
  const known = new Set(text.toLowerCase().split(/[\s`"'“”，、]+|[.,;:]+(?=\s|$)/));
  const words = new Set(name.toLowerCase().split(/[\s`"']+/));
  return [...words].filter(word => word.length > 1 && !word.startsWith("-") && known.has(word)).length;
}
