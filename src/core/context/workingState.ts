/**
 * What still holds of the work although the messages that said so are gone (CONTEXT.md, section 5): stands in the tail
 * after a compaction, never in a summary. The todo list has a recap of its own. Pure.
 */
import type { Conversation } from "../history/conversation";
import { oneLine } from "../text/format";
import { codeSpan, sanitizeText } from "../text/plainText";

const FILES = 20;
const PATH_CHARACTERS = 200;

/** undefined: nothing was summarised, or nothing is left to be said. Goes into a reminder of the tail. */
export function workingState(
  conversation: Pick<Conversation, "summaries" | "failing" | "interrupted" | "changed">,
): string | undefined {
  if (conversation.summaries.length === 0) return undefined;
  const lines = [failingLine(conversation), interruptedLine(conversation), filesLine(conversation)].filter(
    line => line !== undefined,
  );
  if (lines.length === 0) return undefined;
  return ["Working state (parts of the history are summarised; this still holds):", ...lines].join("\n");
}

function failingLine({ failing }: Pick<Conversation, "failing">): string | undefined {
  if (!failing) return undefined;
  const line = failing.line === undefined ? "" : `: ${sanitizeText(failing.line)}`;
  return `- The last command that failed and has not succeeded since: ${codeSpan(sanitizeText(failing.command))}, ${failing.ended} (turn ${failing.turn})${line}`;
}

function interruptedLine({ interrupted }: Pick<Conversation, "interrupted">): string | undefined {
  if (!interrupted) return undefined;
  const what = interrupted.what === "" ? "" : ` ${codeSpan(sanitizeText(interrupted.what))}`;
  return `- A call was interrupted, its effect is unknown: ${interrupted.toolName}${what} (turn ${interrupted.turn}). Check before you repeat it.`;
}

/** Those changed last come first. */
function filesLine({ changed }: Pick<Conversation, "changed">): string | undefined {
  const files = [...changed.values()].map((file, at) => ({ file, at }));
  if (files.length === 0) return undefined;
  const newest = files.sort((a, b) => b.file.turn - a.file.turn || b.at - a.at).slice(0, FILES);
  const names = newest.map(
    ({ file }) =>
      `${codeSpan(oneLine(sanitizeText(file.path), PATH_CHARACTERS))} (${file.created ? "created, " : ""}+${file.added} −${file.removed})`,
  );
  const more = files.length - names.length;
  return `- Files changed in this session, the newest first: ${names.join(", ")}${more > 0 ? `, and ${more} more` : ""}`;
}
