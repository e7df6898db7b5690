/**
 * Tools as text, for a model that takes none: how it calls one, then each with its schema. It stands in L1, so that the manifest
 * accounts for it; serialising calls and results, and reading them back, is the connection's (models/react). Pure.
 */
import prompt from "../../../prompts/react.md";
import type { Segment } from "../../shared/manifest";
import { renderTemplate } from "../ground/text/format";
import type { ToolDefinition } from "./compose";

/** source of the segment that says how tools are called */
export const REACT = "prompt:react";

export const reactPrompt = (): string => renderTemplate(prompt, {});

export function toolsAsText(tools: readonly ToolDefinition[]): string {
  const each = tools.map(
    ({ name, description, inputSchema }) =>
      `## ${name}\n${description.trim()}\nInput, as JSON Schema: ${JSON.stringify(inputSchema)}`,
  );
  return ["# Tools", ...each].join("\n\n");
}

/** Whether a request was sent so. */
export const hasWrittenTools = (segments: readonly Pick<Segment, "source">[]): boolean =>
  segments.some(({ source }) => source === REACT);
