/**
 * The user's own words in summaries: rules that hold on, and what was asked. They are taken from the records and stand in a
 * section of their own, last in the text, whose heading no text of a model can have: so what is read out of it again when
 * summaries are archived is what a person wrote. Pure.
 */
import type { StrataMessage } from "../../shared/messages";
import { estimateTokens } from "../text/estimate";
import { collapseWhitespace, counted, cutPoint, oneLine, sanitizeText } from "../text/format";
import { findConstraint } from "./constraints";
import { extractSentences } from "./sentences";

/** Of the user, verbatim but for whitespace. */
interface Said {
  text: string;
  turn: number;
}

export interface UserWords {
  /** sentences that state a rule; oldest first, each once */
  constraints: Said[];
  /** how many more there were: the newest ones are above */
  moreConstraints: number;
  /** the beginning of each message, of the newest one more; without the rules among them; oldest first */
  asked: Said[];
  /** how many messages came before those */
  moreAsked: number;
}

/** What the words may take in a summary, in estimated tokens. */
interface WordsRoom {
  constraints: number;
  asked: number;
}

/** Of a small window the words get less: of it, the share of each. */
export const wordsRoom = (window: number): WordsRoom => ({
  constraints: Math.round(Math.min(1_500, 0.05 * window)),
  asked: Math.round(Math.min(800, 0.03 * window)),
});

const CONSTRAINT_CHARACTERS = 300;
const MAX_CONSTRAINTS = 40;
const MAX_OF_MESSAGE = 12;
const MAX_ASKED = 60;
/** Characters of each message, the most that fits; of the newest one that it may always have. */
const ASKED_CHARACTERS = [1_200, 600, 300, 160, 80, 48];
const NEWEST_CHARACTERS = 1_500;

/** @param messages that go, in order */
export function findUserWords(messages: readonly StrataMessage[], room: WordsRoom): UserWords {
  const typed = messages.filter(isTyped);
  const rules = findConstraints(typed, room.constraints);
  return { ...rules, ...findAsked(typed, rules.constraints, room.asked) };
}

/** A person wrote it: no reminder, no injected text, no pictures of a tool. */
const isTyped = ({ role, metadata }: StrataMessage) =>
  role === "user" && (metadata?.kind === "normal" || metadata?.kind === "steer");

/** The user's own words in a message; reminders are parts of another kind. */
const messageText = ({ parts }: StrataMessage): string =>
  sanitizeText(parts.flatMap(part => (part.type === "text" ? [part.text] : [])).join("\n\n"));

function findConstraints(
  messages: readonly StrataMessage[],
  room: number,
): Pick<UserWords, "constraints" | "moreConstraints"> {
  const found = new Map<string, Said>();
  let more = 0;
  for (const message of messages) {
    const turn = message.metadata?.turn ?? 0;
    const all = extractSentences(messageText(message)).flatMap(sentence => {
      const at = findConstraint(sentence);
      return at === undefined ? [] : [clipAround(sentence, at)];
    });
    // Who pastes a document does not mean each of its sentences.
    more += Math.max(0, all.length - MAX_OF_MESSAGE);
    for (const text of all.slice(0, MAX_OF_MESSAGE)) {
      const key = sameKey(text);
      // Said again, it counts as said last.
      found.delete(key);
      found.set(key, { text, turn });
    }
  }
  const newest = newestWithin([...found.values()], MAX_CONSTRAINTS, room, ({ text }) => text);
  return { constraints: newest, moreConstraints: more + found.size - newest.length };
}

const sameKey = (text: string) =>
  collapseWhitespace(text)
    .replace(/[.!。！\s]+$/, "")
    .toLowerCase();

/** At most 300 characters, the place of the word that matters among them. */
function clipAround(sentence: string, at: number): string {
  if (sentence.length <= CONSTRAINT_CHARACTERS) return sentence;
  const room = CONSTRAINT_CHARACTERS - 2;
  const wanted = Math.max(0, Math.min(at - 80, sentence.length - room));
  const border = /[\s，,；;：:]/.exec(sentence.slice(wanted, at));
  const start = wanted === 0 ? 0 : cutPoint(sentence, wanted + (border ? border.index + 1 : 0));
  const end = cutPoint(sentence, Math.min(sentence.length, start + room));
  return `${start > 0 ? "…" : ""}${sentence.slice(start, end).trim()}${end < sentence.length ? "…" : ""}`;
}

/** As much of each as fits: more of few messages than of many. */
function findAsked(
  messages: readonly StrataMessage[],
  constraints: readonly Said[],
  room: number,
): Pick<UserWords, "asked" | "moreAsked"> {
  const rules = new Set(constraints.map(({ text }) => text));
  const all = messages.map(message => ({
    turn: message.metadata?.turn ?? 0,
    text: withoutRules(messageText(message), rules) || "(no words)",
  }));
  const cut = (most: number) =>
    all.map(({ turn, text }, at) => ({ turn, text: oneLine(text, at === all.length - 1 ? NEWEST_CHARACTERS : most) }));
  const tokens = (said: readonly Said[]) => said.reduce((sum, { text }) => sum + estimateTokens(text) + 5, 0);
  const ways = ASKED_CHARACTERS.map(cut);
  const chosen = ways.find(said => said.length <= MAX_ASKED && tokens(said) <= room) ?? ways.at(-1) ?? [];
  const asked = newestWithin(chosen, MAX_ASKED, room, ({ text }) => text);
  return { asked, moreAsked: all.length - asked.length };
}

/** What stands among the rules is not said twice: "…" is in its place. */
function withoutRules(text: string, rules: ReadonlySet<string>): string {
  let words = collapseWhitespace(text);
  for (const rule of rules) words = words.replace(rule, () => "…");
  return words.replace(/…(?:\s*…)+/g, "…");
}

/** The last ones that fit, in their order; at least one. */
export function newestWithin<T>(all: readonly T[], most: number, tokens: number, textOf: (item: T) => string): T[] {
  const kept: T[] = [];
  let used = 0;
  for (const item of all.toReversed()) {
    used += estimateTokens(textOf(item)) + 5;
    if (kept.length >= most || (used > tokens && kept.length > 0)) break;
    kept.push(item);
  }
  return kept.reverse();
}

/** A line of a text that begins so is written by code only. */
export const USER_WORDS_HEADING = "### 💬 The User's Words (Verbatim)";
const RULES = "* **Rules**, which hold on:";
const ASKED = "* **Asked** in these rounds:";
const RULE_LINE = /^ {2}\* “.+” \(turn \d+\)$/;
const ASKED_LINE = /^ {2}\* turn \d+: .+$/;

/** The section, with its heading; empty where the user said nothing. */
export function userWordsLines({ constraints, moreConstraints, asked, moreAsked }: UserWords): string[] {
  const earlier = (many: number, what: string) =>
    many > 0 ? [`  * (${counted(many, what)} in the archive: Recall finds them by words)`] : [];
  return section(
    [
      ...earlier(moreConstraints, "more sentence"),
      ...constraints.map(({ text, turn }) => `  * “${text}” (turn ${turn})`),
    ],
    [...earlier(moreAsked, "earlier message"), ...asked.map(({ text, turn }) => `  * turn ${turn}: ${text}`)],
  );
}

function section(rules: readonly string[], asked: readonly string[]): string[] {
  const below = (label: string, lines: readonly string[]) => (lines.length > 0 ? [label, ...lines] : []);
  const lines = [...below(RULES, rules), ...below(ASKED, asked)];
  return lines.length > 0 ? ["", USER_WORDS_HEADING, ...lines] : [];
}

/** The lines of summaries' sections, oldest first. A summary of an older version has its rules among the preferences. */
export function readUserWords(texts: readonly string[]): { rules: string[]; asked: string[] } {
  const lines = texts.flatMap(text => {
    const all = text.split("\n");
    const at = all.lastIndexOf(USER_WORDS_HEADING);
    return at < 0 ? all.filter(line => RULE_LINE.test(line)) : all.slice(at + 1);
  });
  const rules = new Map<string, string>();
  for (const line of lines.filter(one => RULE_LINE.test(one))) {
    const key = collapseWhitespace(line.replace(/\(turn \d+\)$/, "")).toLowerCase();
    rules.delete(key);
    rules.set(key, line);
  }
  return { rules: [...rules.values()], asked: lines.filter(line => ASKED_LINE.test(line)) };
}

const MAX_CARRIED_RULES = 60;
const MAX_CARRIED_ASKED = 120;

/**
 * The section of a summary that stands for several: their rules, and of each message as much as there is room for. A little
 * of many messages says more than much of the newest ones: a fact is mostly told in a short one.
 */
export function carriedUserWords(texts: readonly string[], room: WordsRoom): string[] {
  const { rules, asked } = readUserWords(texts);
  const newest = (lines: readonly string[], most: number, tokens: number) =>
    newestWithin(lines, most, tokens, line => line);
  const fitting = ASKED_CHARACTERS.map(most => asked.map(line => cutAsked(line, most)));
  const all = fitting.find(lines => newest(lines, MAX_CARRIED_ASKED, room.asked).length === asked.length);
  return section(
    newest(rules, MAX_CARRIED_RULES, room.constraints),
    newest(all ?? fitting.at(-1) ?? [], MAX_CARRIED_ASKED, room.asked),
  );
}

function cutAsked(line: string, most: number): string {
  const [lead = ""] = /^ {2}\* turn \d+: /.exec(line) ?? [];
  return `${lead}${oneLine(line.slice(lead.length), most)}`;
}
