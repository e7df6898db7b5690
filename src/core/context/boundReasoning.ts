/**
 * Reasoning that is bound to what stood before it (docs/context.md): where that changed, it travels no more, in this request
 * nor in a later one. What it is bound to is told by the manifest of the step before, so that a session that is opened again
 * decides as the one that ran on. Pure.
 */
import type { Segment } from "../../shared/manifest";
import type { ModelConnection } from "../ports";
import type { AssembledRequest } from "./assemble";
import { prefixReuse } from "./breakCause";
import type { LastRequest } from "./requestLog";

/** @param assembleWithout the request without the reasoning of these messages */
export function withBoundReasoning(
  assembleWithout: (messageIds: ReadonlySet<string>) => AssembledRequest,
  last: LastRequest | undefined,
  { name, reasoningBinding }: Pick<ModelConnection, "name" | "reasoningBinding">,
): AssembledRequest {
  if (!reasoningBinding) return assembleWithout(new Set());
  // Another model's reasoning means nothing to this one.
  const before = last?.model === name ? last.segments : [];
  const dropped = before.flatMap(segment => (segment.form === "dropped" ? messageIds([segment]) : []));
  const request = assembleWithout(new Set(dropped));
  const at = brokenAt(before, request.segments, reasoningBinding);
  if (at === undefined) return request;
  return assembleWithout(new Set([...dropped, ...messageIds(request.segments.slice(at))]));
}

/** The first segment that is another than in the request before; undefined: it goes on where that one ended. */
function brokenAt(
  before: readonly Segment[],
  segments: readonly Segment[],
  binding: NonNullable<ModelConnection["reasoningBinding"]>,
): number | undefined {
  if (before.length === 0) return 0;
  const { brokenAt: at } = prefixReuse({ segments: before }, segments);
  const tail = before.findIndex(({ layer }) => layer === "tail");
  return binding === "request" && tail >= 0 ? Math.min(at ?? tail, tail) : at;
}

/** Of the answers among them. */
function messageIds(segments: readonly Segment[]): string[] {
  return segments.flatMap(({ role, source }) =>
    role === "assistant" && source.startsWith(MESSAGE) ? [source.slice(MESSAGE.length)] : [],
  );
}

const MESSAGE = "message:";
