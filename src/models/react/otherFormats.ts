/** Calls and last words in the JSON that other agents have their models write. Pure. */
import { isObject } from "../../shared/isObject";

interface OtherCall {
  name: string;
  /** an object, or text */
  input: unknown;
  thought?: string;
}

const INPUT_KEYS = ["action_input", "input", "arguments", "args", "parameters", "params"];
const NAME_KEYS = ["action", "tool", "tool_name", "name", "function"];
const TEXT_KEYS = ["answer", "text", "content", "message", "output", "result", "response", "final_answer", "summary"];

/** undefined: the value names no tool */
export function callIn(value: unknown): OtherCall | undefined {
  if (!isObject(value)) return undefined;
  // `{"type": "function", "function": {"name": …, "arguments": …}}`
  if (isObject(value.function)) return callIn(value.function);
  if (isObject(value.function_call)) return callIn(value.function_call);
  const name = NAME_KEYS.map(key => value[key]).find(each => typeof each === "string" && each !== "");
  if (typeof name !== "string") return undefined;
  const key = INPUT_KEYS.find(each => each in value);
  const thought = typeof value.thought === "string" ? { thought: value.thought } : {};
  return { name: /^final[ _]answer$/i.test(name) ? "Finish" : name, input: key ? value[key] : {}, ...thought };
}

/** The words for the user, where they came as JSON; "": there are none */
export function finishText(value: unknown): string {
  if (typeof value === "string") return value;
  if (!isObject(value)) return "";
  const texts = Object.values(value).filter(each => typeof each === "string");
  const named = TEXT_KEYS.map(key => value[key]).find(each => typeof each === "string");
  return typeof named === "string" ? named : texts.length === 1 ? String(texts[0]) : "";
}
