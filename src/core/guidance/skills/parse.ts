/** A file of instructions → a skill or a prompt; an agent: parseAgent.ts. Lenient, so that files of other agents work unchanged. */
import type { parseDocument } from "yaml";
import { isObject } from "../../../shared/isObject";
import { plural, t } from "../../../shared/l10n";
import type { InstructionFile } from "../../ground/ports";
import { oneLine } from "../../ground/text/format";

/** A text that is called by `/name`. */
export interface PromptFile extends Pick<InstructionFile, "path" | "text" | "cutBytes" | "trust"> {
  name: string;
  /** one line; "": it has none */
  description: string;
  /** what may follow its name: `[branch]` */
  argumentHint: string;
  /** Sentences for people. It is still used. */
  warnings: readonly string[];
}

export interface Skill extends PromptFile {
  /** absolute folder, '/' separators: what lies beside it belongs to it */
  folder: string;
  /** false: only a person calls it */
  forModel: boolean;
  /** false: only the model uses it */
  forPeople: boolean;
}

export type ParseResult<T> = T | { problem: string };
export type Parse<T> = (file: InstructionFile) => ParseResult<T>;

const MAX_NAME = 64;
const MAX_DESCRIPTION = 1_024;
/** Of any script: the format has small letters of English, and people name things in their own words. */
const SKILL_NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:[-_][\p{L}\p{M}\p{N}]+)*$/u;
export const PROMPT_NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}_.:-]*$/u;

/** The package for YAML: loaded with the first head. */
export type ReadYaml = typeof parseDocument;

/** @param readYaml needed where the text `hasHead` */
export function parseSkill(file: InstructionFile, readYaml?: ReadYaml): ParseResult<Skill> {
  const head = readFrontmatter(file.text, readYaml);
  if (head.body === "") return { problem: t("It has only front matter.") };
  const named = text(head.fields.name);
  const name = firstName([named, file.name], SKILL_NAME);
  if (name === undefined)
    return {
      problem: t(
        '"{0}" is not a valid name: use letters, digits and single hyphens or underscores.',
        oneLine(named || file.name, 80),
      ),
    };
  const warnings = [
    ...headWarnings(head),
    ...toolsWarnings(head),
    ...(named === "" ? [t("It has no name, so its folder's name is used.")] : []),
    ...(named !== "" && named.normalize("NFC") !== file.name.normalize("NFC")
      ? [t("Its name is {0}, but its folder has another name.", oneLine(named, 80))]
      : []),
    ...undescribed(head),
  ];
  return {
    ...common(file, head, warnings),
    name,
    folder: file.folder,
    forModel: head.fields["disable-model-invocation"] !== true,
    forPeople: head.fields["user-invocable"] !== false,
  };
}

/** @param readYaml as of `parseSkill` */
export function parsePrompt(file: InstructionFile, readYaml?: ReadYaml): ParseResult<PromptFile> {
  const head = readFrontmatter(file.text, readYaml);
  if (head.body === "") return { problem: t("It is empty.") };
  const name = firstName([text(head.fields.name), file.name], PROMPT_NAME);
  if (name === undefined)
    return { problem: t('"{0}" is not a valid name: start with a letter and use no spaces.', oneLine(file.name, 80)) };
  return { ...common(file, head, [...headWarnings(head), ...toolsWarnings(head)]), name };
}

/** Disks write one letter in two ways, and who types it in one. */
export const firstName = (names: readonly string[], allowed: RegExp) =>
  names.map(name => name.normalize("NFC")).find(name => name.length <= MAX_NAME && allowed.test(name));

export function common({ path, cutBytes, trust }: InstructionFile, { fields, body }: WithHead, warnings: string[]) {
  const description = text(fields.description) || firstLine(body);
  if (description.length > MAX_DESCRIPTION)
    warnings.push(t("Its description is longer than {0} characters, so the rest is left out.", MAX_DESCRIPTION));
  if (cutBytes > 0)
    warnings.push(
      plural(
        cutBytes,
        "It is too long, so its last byte is left out.",
        "It is too long, so its last {0} bytes are left out.",
      ),
    );
  return {
    path,
    cutBytes,
    trust,
    warnings,
    text: body,
    description: oneLine(description, MAX_DESCRIPTION),
    argumentHint: oneLine(text(fields["argument-hint"]), 100),
  };
}

export const headWarnings = ({ problem }: WithHead) =>
  problem === undefined
    ? []
    : [t("Its front matter is not valid YAML ({0}), so it was read line by line.", oneLine(problem, 200))];

const toolsWarnings = ({ fields }: WithHead) =>
  fields["allowed-tools"] !== undefined || fields.tools !== undefined
    ? [t("Listing tools does not allow them: your rules and the mode decide.")]
    : [];

export const undescribed = ({ fields }: WithHead) =>
  text(fields.description) === "" ? [t("It has no description, so its first line is used.")] : [];

/** Lists and numbers are written as people would. */
export function text(value: unknown): string {
  if (Array.isArray(value)) return value.map(text).filter(Boolean).join(" ");
  return ["string", "number", "boolean"].includes(typeof value) ? String(value).trim() : "";
}

const firstLine = (body: string) => oneLine(body.replace(/^#+\s*/, "").split("\n")[0] ?? "", 200);

// The head of a file of instructions: YAML between two lines of dashes, as skills, prompts and agents have it.

/** Everything beyond is text. */
const MAX_HEAD = 16_000;

interface WithHead {
  fields: Readonly<Record<string, unknown>>;
  /** without the head and the blank lines around it */
  body: string;
  /** why the head could not be read as YAML; its lines were read one by one */
  problem?: string;
  /** of the head */
  lines?: readonly string[];
}

export function readFrontmatter(text: string, readYaml?: ReadYaml): WithHead {
  const plain = withLf(text);
  const head = headOf(plain);
  if (head === undefined) return { fields: {}, body: plain.trim() };
  const body = plain.slice(head.end).trim();
  const lines = head.yaml.split("\n");
  if (!readYaml) return { fields: readLines(lines), body, lines };
  try {
    const document = readYaml(head.yaml, { logLevel: "silent", uniqueKeys: false });
    const [error] = document.errors;
    if (error) return { fields: readLines(lines), body, lines, problem: error.message.split("\n")[0] ?? "" };
    const fields: unknown = document.toJS({ maxAliasCount: 20 });
    // throws where one is a part of itself
    JSON.stringify(fields);
    return { fields: isObject(fields) ? fields : {}, body, lines };
  } catch (error) {
    const isDeep = error instanceof RangeError;
    return { fields: {}, body, problem: isDeep ? t("it is nested too deeply") : t("it is recursive") };
  }
}

const withLf = (text: string): string => text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");

function headOf(text: string): { yaml: string; end: number } | undefined {
  if (!text.startsWith("---\n")) return undefined;
  const end = text.indexOf("\n---", 3);
  if (end < 0 || end > MAX_HEAD) return undefined;
  const lineEnd = text.indexOf("\n", end + 1);
  const closing = text.slice(end + 1, lineEnd < 0 ? undefined : lineEnd);
  if (closing.trimEnd() !== "---") return undefined;
  return { yaml: text.slice(4, end + 1), end: lineEnd < 0 ? text.length : lineEnd };
}

export const hasHead = (text: string): boolean => headOf(withLf(text)) !== undefined;

/** `description: Use it when: …` is no YAML, and what many people write. */
function readLines(lines: readonly string[]): Record<string, unknown> {
  const fields = lines.flatMap(line => {
    const found = KEY_LINE.exec(line);
    return found ? [[found[1] ?? "", unquoted(found[2] ?? "")] as const] : [];
  });
  return Object.fromEntries(fields);
}

export const KEY_LINE = /^([A-Za-z][\w-]{0,63}):[ \t]+(\S.*)$/;

function unquoted(value: string): string | boolean {
  const text = value.trim();
  if (text === "true" || text === "false") return text === "true";
  const quote = text.at(0);
  return text.length > 1 && (quote === '"' || quote === "'") && text.at(-1) === quote ? text.slice(1, -1) : text;
}
