/** Usage as servers report it. What is not said stays unknown: the package would take it for 0. */
import { isObject } from "../../shared/isObject";
import type { Changes, JsonFields } from "./mender";

const DEPTH = 3;

/** Numbers that are written as strings, in any interface; what is no number and should be one goes. */
export function mendCounts(usage: JsonFields, changes: Changes, depth = DEPTH): void {
  for (const [name, value] of Object.entries(usage)) {
    if (typeof value === "string" && COUNT.test(name)) changes.put(usage, name, count(value));
    else if (isObject(value) && depth > 1) mendCounts(value, changes, depth - 1);
  }
}

/** `input_tokens`, `promptTokenCount` */
const COUNT = /tokens?(?:_?count)?$/i;

/** As servers of Chat Completions report it. */

export function mendUsage(event: JsonFields, changes: Changes): void {
  const { usage } = event;
  if (usage === undefined || usage === null) return;
  if (!isObject(usage)) {
    changes.put(event, "usage", undefined);
    return;
  }
  const input = count(usage.prompt_tokens) ?? count(usage.input_tokens);
  const output = count(usage.completion_tokens) ?? count(usage.output_tokens);
  const total = count(usage.total_tokens);
  const sent = input ?? (total !== undefined && output !== undefined ? total - output : undefined);
  const written = output ?? (total !== undefined && input !== undefined ? total - input : undefined);
  // No request has no tokens: those that say so do not count.
  if (!sent || sent < 0 || written === undefined || written < 0) {
    changes.put(event, "usage", undefined);
    return;
  }
  changes.put(usage, "prompt_tokens", sent);
  changes.put(usage, "completion_tokens", written);
  if (total !== usage.total_tokens) changes.put(usage, "total_tokens", total);
  mendDetails(usage, "completion_tokens_details", changes);
  mendDetails(usage, "prompt_tokens_details", changes);
  mendCached(usage, changes);
}

function mendDetails(usage: JsonFields, key: string, changes: Changes): void {
  const details = usage[key];
  if (details === undefined || details === null) return;
  if (!isObject(details)) {
    changes.put(usage, key, undefined);
    return;
  }
  for (const [name, value] of Object.entries(details))
    if (name.endsWith("_tokens") && value !== null && typeof value !== "number")
      changes.put(details, name, count(value));
}

/** DeepSeek's, Kimi's and others' words for what came from the cache. */
function mendCached(usage: JsonFields, changes: Changes): void {
  const details = isObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : undefined;
  if (typeof details?.cached_tokens === "number") return;
  const inputDetails = isObject(usage.input_tokens_details) ? usage.input_tokens_details : {};
  const cached = [
    usage.prompt_cache_hit_tokens,
    usage.cached_tokens,
    usage.cache_read_input_tokens,
    inputDetails.cached_tokens,
  ]
    .map(count)
    .find(each => each !== undefined);
  if (cached !== undefined) changes.put(usage, "prompt_tokens_details", { ...details, cached_tokens: cached });
}

/** undefined: it is no number */
function count(value: unknown): number | undefined {
  const read = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof read === "number" && Number.isFinite(read) && read >= 0 ? read : undefined;
}
