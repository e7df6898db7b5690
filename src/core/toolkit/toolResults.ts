/** Building the envelope (CONTEXT.md, section 2). */
import type { Json } from "../../shared/messages";
import type { ToolResult } from "../../shared/toolResult";
import { digestLine } from "../text/format";

type Facts = Record<string, Json>;

export function success(fields: {
  data: Facts;
  text: string;
  digest: string;
  /** something is missing that was asked for */
  partial?: boolean;
}): ToolResult {
  return {
    status: fields.partial ? "partial" : "success",
    data: fields.data,
    text: fields.text,
    digest: digestLine(fields.digest),
  };
}
