/**
 * Why a request does not begin with the bytes of the one before it: from the lists of both and from what the sender knows. The
 * verifier asks the same, with what the log says in the sender's place. Pure.
 * Sender and proof ask this one function: two lists of rules would drift apart.
 */
import type { BreakCause, Manifest, Segment } from "../../shared/manifest";
import { isLedger, PLAN, sourceSkill } from "../ground/text/sources";
import { hasWrittenTools, REACT } from "./compose";

export interface RequestBefore {
  /** "": nothing was sent yet */
  model: string;
  purpose?: Manifest["purpose"];
  segments: readonly Segment[];
}

export interface SenderKnows {
  /** the log was mended before this request */
  repaired?: boolean;
  /** a person went to another place of the conversation before this request */
  rewound?: boolean;
  /** why the sender changed what it sent before */
  cause?: BreakCause;
}

/** Tokens that both requests begin with; where the one before did not go on, not counting its tail: `brokenAt`. */
export function prefixReuse(previous: Pick<RequestBefore, "segments"> | undefined, segments: readonly Segment[]) {
  if (!previous) return { sharedTokens: 0 };
  let at = 0;
  let sharedTokens = 0;
  for (const { layer, sha256, role } of previous.segments) {
    if (layer === "tail") continue;
    const now = segments[at];
    if (!now || now.sha256 !== sha256 || now.role !== role) return { sharedTokens, brokenAt: at };
    sharedTokens += now.tokens;
    at += 1;
  }
  return { sharedTokens };
}

/** @param brokenAt as `prefixReuse` has it @returns undefined: nothing broke, or the cause is unknown */
export function causeOf(before: RequestBefore, now: RequestBefore, known: SenderKnows, brokenAt: number | undefined) {
  const found = brokenAt === undefined ? undefined : findBreakCause(before, now, known, brokenAt);
  // Another model's cache does not have it.
  const isMoved = !before.purpose && !now.purpose && before.model !== now.model;
  return found ?? (isMoved ? "model-changed" : undefined);
}

/** As tools, or written into the instructions: ours and foreign ones. */
const TOOLS = new Set(["tools", "tools:mcp"]);

const causesBySource: Record<string, BreakCause> = {
  facts: "workspace-changed",
  "prompt:system": "app-updated",
  [REACT]: "app-updated",
};

function findBreakCause(
  previous: RequestBefore,
  { segments, model, purpose }: RequestBefore,
  known: SenderKnows,
  at: number,
): BreakCause | undefined {
  if (known.cause) return known.cause;
  if (hasWrittenTools(previous.segments) !== hasWrittenTools(segments)) return "protocol-changed";
  const before = previous.segments[at];
  const now = segments[at];
  if (before?.source === "skills" || now?.source === "skills") return "skills-changed";
  // Definitions of foreign tools come behind ours, and go.
  if ([before, now].some(segment => segment && TOOLS.has(segment.source))) return "tools-changed";
  if (before?.layer === "L1") return causesBySource[before.source];
  if (before?.source === PLAN || now?.source === PLAN) return summaryCause(previous.segments, segments);
  // Skills stand behind the rules.
  if (before?.layer === "L2" || now?.layer === "L2")
    return [before, now].some(each => each?.layer === "L2" && sourceSkill(each.source) === undefined)
      ? "rules-changed"
      : "skills-changed";
  if (known.rewound) return "rewind";
  if (known.repaired) return "log-repaired";
  if (previous.model !== model) return "model-changed";
  // The request for a summary ends where the part ends that it is about, and may have folded more than was kept so.
  if (purpose === "summary" || previous.purpose === "summary") return "compaction";
  if ([before, now].some(each => each && (isSummary(each) || isLedger(each.source))))
    return summaryCause(previous.segments, segments);
  // Turns change their form before the first request of another: what they did goes, and a line comes.
  if (now?.form === "brief" && before?.form !== "brief") return "turn-end";
  if (!before || !now || before.source !== now.source) return undefined;
  // Another account has a model by the same name, and its thoughts are bound otherwise.
  if ((before.form === "dropped") !== (now.form === "dropped")) return "model-changed";
  if (before.form !== "folded" && now.form === "folded") return "fold";
  return before.form === "shown" && now.form === "kept" ? "turn-end" : undefined;
}

/** Each compaction ends in a summary of its own: the last one is new after it, and gone once it is undone. */
function summaryCause(before: readonly Segment[], now: readonly Segment[]): BreakCause | undefined {
  const [last, newest] = [before.findLast(isSummary), now.findLast(isSummary)];
  if (newest && !before.some(({ source }) => source === newest.source)) return "compaction";
  if (last && !now.some(({ source }) => source === last.source)) return "undo";
  return undefined;
}

const isSummary = ({ source }: Segment): boolean => source.startsWith("summary:");
