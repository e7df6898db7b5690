/** The head of a file of instructions: YAML between two lines of dashes, as skills and prompt files have it. */

import { parseDocument } from "yaml";
import { isObject } from "../../../shared/isObject";
import { t } from "../../../shared/l10n";

/** Everything beyond is text. */
const MAX_HEAD = 16_000;

export interface WithHead {
  fields: Readonly<Record<string, unknown>>;
  /** without the head and the blank lines around it */
  body: string;
  /** why the head could not be read as YAML; its lines were read one by one */
  problem?: string;
}

export function readFrontmatter(text: string): WithHead {
  const plain = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const head = plain.startsWith("---\n") ? headOf(plain) : undefined;
  if (head === undefined) return { fields: {}, body: plain.trim() };
  const body = plain.slice(head.end).trim();
  const simple = readSimple(head.yaml);
  if (simple) return { fields: simple, body };
  try {
    const document = parseDocument(head.yaml, { logLevel: "silent", uniqueKeys: false });
    const [error] = document.errors;
    if (error) return { fields: readLines(head.yaml), body, problem: error.message.split("\n")[0] ?? "" };
    const fields: unknown = document.toJS({ maxAliasCount: 20 });
    return { fields: isObject(fields) ? fields : {}, body };
  } catch (error) {
    const isDeep = error instanceof RangeError;
    return { fields: {}, body, problem: isDeep ? t("it is nested too deeply") : t("it is recursive") };
  }
}

function headOf(text: string): { yaml: string; end: number } | undefined {
  const end = text.indexOf("\n---", 3);
  if (end < 0 || end > MAX_HEAD) return undefined;
  const lineEnd = text.indexOf("\n", end + 1);
  const closing = text.slice(end + 1, lineEnd < 0 ? undefined : lineEnd);
  if (closing.trimEnd() !== "---") return undefined;
  return { yaml: text.slice(4, end + 1), end: lineEnd < 0 ? text.length : lineEnd };
}

/** `name: text`, where the text is nothing else to YAML: no sign of its own, no colon that another value could follow, no comment. */
const SIMPLE = /^([A-Za-z][\w-]{0,63}):[ ]+([A-Za-z](?: |[^:#\p{C}\p{Z}]|:(?=[^\s\p{C}])|(?<=\S)#)*)$/u;
const NO_TEXT = /^(?:true|false|null)$/i;

/** Most heads are so, and reading 50 of them with the package takes longer than reading their files. undefined: this one is not */
function readSimple(yaml: string): Record<string, string> | undefined {
  const fields: [string, string][] = [];
  for (const line of yaml.split("\n").slice(0, -1)) {
    const [, name, value = ""] = SIMPLE.exec(line) ?? [];
    if (name === undefined || NO_TEXT.test(value.trim())) return undefined;
    fields.push([name, value.trim()]);
  }
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}

/** `description: Use it when: …` is no YAML, and what many people write. */
function readLines(yaml: string): Record<string, unknown> {
  const lines = yaml.split("\n").flatMap(line => {
    const found = /^([A-Za-z][\w-]{0,63}):[ \t]+(\S.*)$/.exec(line);
    return found ? [[found[1] ?? "", unquoted(found[2] ?? "")] as const] : [];
  });
  return Object.fromEntries(lines);
}

function unquoted(value: string): string | boolean {
  const text = value.trim();
  if (text === "true" || text === "false") return text === "true";
  const quote = text.at(0);
  return text.length > 1 && (quote === '"' || quote === "'") && text.at(-1) === quote ? text.slice(1, -1) : text;
}
