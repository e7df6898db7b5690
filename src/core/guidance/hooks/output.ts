/**
 * The objects in what a hook printed. Scripts print log lines around them, on one line or on many, with a byte order mark, or with
 * a text in them that makes them no JSON. Pure.
 * A no counts wherever it is, also in broken JSON: scripts put it together by `echo`.
 */
import { isObject } from "../../../shared/isObject";

export interface HookOutput {
  /** those that say something, or the one that is all of it */
  objects: Record<string, unknown>[];
  /** what stands around them */
  rest: string;
  /** that without what the hook was told and printed again */
  own: string;
  /** something begins as an object and is none */
  isBroken: boolean;
}

/** Characters that are looked at, over and over where many braces open. What lies beyond is read as broken JSON is. */
const MAX_STEPS = 5_000_000;
/** An object that nobody closed ends here at the latest. */
const MAX_OBJECTS = 1_000;

/** @param kind what an object is: an answer, one that may hold an answer, or what the hook was told, which holds none */
export function readPrinted(
  text: string,
  kind: (object: Record<string, unknown>) => "answer" | "other" | "told",
): HookOutput {
  // Windows' tools write two bytes for each letter.
  const plain = text
    .replaceAll("\0", "")
    .replace(/^[\uFEFF\uFFFD]+/, "")
    .trim();
  const whole = parsed(plain);
  if (isObject(whole) && kind(whole) !== "other") return { objects: [whole], rest: "", own: "", isBroken: false };
  // Printed as a text of JSON.
  if (typeof whole === "string" && whole.trim().startsWith("{")) return readPrinted(whole, kind);
  const found: HookOutput = { objects: [], rest: "", own: "", isBroken: false };
  let behind = 0;
  let behindTold = 0;
  let steps = 0;
  for (let at = plain.indexOf("{"); at >= 0 && found.objects.length < MAX_OBJECTS; ) {
    const end = endOf(plain, at, MAX_STEPS - steps);
    steps += (end ?? plain.length) - at;
    const object = end === undefined ? undefined : parsed(plain.slice(at, end));
    const is = isObject(object) ? kind(object) : undefined;
    if (end !== undefined && isObject(object) && is !== "other") {
      found.own += plain.slice(behindTold, at);
      behindTold = end;
      if (is === "answer") {
        found.objects.push(object);
        found.rest += plain.slice(behind, at);
        behind = end;
      }
      at = plain.indexOf("{", end);
    } else if (isObject(object)) at = plain.indexOf("{", at + 1);
    else {
      found.isBroken ||= at === 0;
      if (steps >= MAX_STEPS) break;
      at = plain.indexOf("{", at + 1);
    }
  }
  found.rest = (found.rest + plain.slice(behind)).trim();
  found.own = (found.own + plain.slice(behindTold)).trim();
  return isObject(whole) && found.objects.length === 0 ? { ...found, objects: [whole], rest: "", own: "" } : found;
}

/** Behind the brace that closes the one at the place; undefined: none does. */
function endOf(text: string, start: number, most: number): number | undefined {
  let depth = 0;
  let isText = false;
  const last = Math.min(text.length, start + most);
  for (let at = start; at < last; at++) {
    const letter = text.charCodeAt(at);
    if (isText) {
      if (letter === 0x5c) at++;
      else if (letter === 0x22) isText = false;
    } else if (letter === 0x22) isText = true;
    else if (letter === 0x7b) depth++;
    else if (letter === 0x7d && --depth === 0) return at + 1;
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A field's name stands in quotes, or as in JavaScript behind what comes before one: what is said about a decision is none. */
const REFUSES =
  /(?:["'](?:permission_?decision|decision|permission|behavior)["']\s*:\s*["']?|[{,]\s*(?:permission_?decision|decision|permission|behavior)\s*:\s*["'])(?:deny|denied|block|blocked)\b|(?:["']continue["']|[{,]\s*continue)\s*:\s*false\b/i;

/** What is no JSON by a quote or a line end in its reason says no all the same. */
export const seemsToRefuse = (text: string): boolean => REFUSES.test(text.replaceAll('\\"', '"'));
