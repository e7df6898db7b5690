/** What the model reads of skills and prompts (docs/context.md). Pure. */
import { fillArguments, sortWords } from "../../../shared/slashCommand";
import { estimateTokens } from "../../ground/text/estimate";
import { oneLine, sanitizeText } from "../../ground/text/format";
import type { PromptFile, Skill } from "./parse";

/** Tokens that names and descriptions of all skills may take: every request has them. */
const MAX_LIST_TOKENS = 1_150;
/** characters of a description */
const LENGTHS = [1_024, 500, 250, 120, 60, 30];

/** L1: which skills there are. undefined: none that the model may use. */
export function skillList(skills: readonly Skill[]): string | undefined {
  const usable = skills.filter(({ forModel }) => forModel);
  if (usable.length === 0) return undefined;
  const head = "Skills: instructions for a kind of task. Where one fits the task, load it with the tool Skill first.";
  // The longest descriptions give way first.
  const most = LENGTHS.find(length => listTokens(head, usable, length) <= MAX_LIST_TOKENS) ?? LENGTHS.at(-1) ?? 0;
  const lines = usable.map(skill => listLine(skill, most));
  let fitting = lines.length;
  while (fitting > 0 && estimateTokens([head, ...lines.slice(0, fitting)].join("\n")) > MAX_LIST_TOKENS) fitting--;
  const left = usable.slice(fitting).map(({ name }) => name);
  const more =
    left.length === 0 ? [] : [`- and ${left.length} more, which Skill names when it is called without a name`];
  return sanitizeText([head, ...lines.slice(0, fitting), ...more].join("\n"));
}

const listLine = ({ name, description }: Skill, most: number) => `- ${name}: ${oneLine(description, most)}`;
const listTokens = (head: string, skills: readonly Skill[], most: number) =>
  estimateTokens([head, ...skills.map(skill => listLine(skill, most))].join("\n"));

/** Each skill with its description: Skill's answer to an unknown name. */
export const skillNames = (skills: readonly Skill[]): string =>
  skills.flatMap(skill => (skill.forModel ? [listLine(skill, 100)] : [])).join("\n");

/**
 * The whole of a skill, where it is loaded and, after a compaction, in L2.
 * @param words what was said behind its name; undefined: it is not said here
 */
export function skillText(skill: Skill, words?: string): string {
  const head = `The skill ${skill.name} (${skill.path}). Files that it names lie in ${skill.folder}; scripts run with Bash.`;
  return `${head}\n\n${filled(skill, words, skill.folder)}`;
}

export const promptText = (prompt: PromptFile, words: string): string =>
  `The user called the prompt /${prompt.name} (${prompt.path}). Do what it says:\n\n${filled(prompt, words)}`;

function filled({ text, cutBytes }: PromptFile, words: string | undefined, folder = ""): string {
  const cut = cutBytes > 0 ? `\n[${cutBytes} more bytes of this file were left out: it is too long]` : "";
  const placed = folder === "" ? text : text.replace(OWN_FOLDER, () => folder);
  return `${withArguments(placed, words)}${cut}`;
}

/** How a skill names the folder that it lies in. */
const OWN_FOLDER = /\$\{CLAUDE_SKILL_DIR\}/g;
/** `$ARGUMENTS`, `$1` to `$9`, `${input:name}` or `${input:name:what to type}` */
const PLACE = /\$ARGUMENTS\b|\$([1-9])(?!\d)|\$\{input:([\w-]{1,64})(?::[^}\n]{0,200})?\}/g;

/**
 * Puts what was typed behind a name into its places; where the text has none, it follows the text.
 * @param words undefined: the places are named, not filled
 */
function withArguments(text: string, words: string | undefined): string {
  if (words === undefined) return text.replace(PLACE, "(what the user says behind its name)");
  const inputs = [...new Set([...text.matchAll(PLACE)].flatMap(([, , name]) => name ?? []))];
  const { typed } = sortWords(words, inputs);
  const values = fillArguments(words, inputs);
  let places = 0;
  const done = text.replace(PLACE, (_, digit?: string, input?: string) => {
    places++;
    if (digit !== undefined) return typed[Number(digit) - 1] ?? "";
    return input === undefined ? words.trim() : Object.hasOwn(values, input) ? (values[input] ?? "") : "";
  });
  return places > 0 || words.trim() === "" ? done : `${done}\n\nThe user's words for it: ${words.trim()}`;
}
