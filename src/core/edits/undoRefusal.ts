/** Why edits cannot be taken back or made again now, for a person. Pure. */
import { counted } from "../text/format";
import type { Lines, Reverted } from "./revertText";

export type Direction = "undo" | "redo";

export interface Refusal {
  direction: Direction;
  path: string;
  /** how many edits were to be taken back */
  edits: number;
  /** turn of a later edit of the agent that is in the way; undefined: somebody else changed it */
  later?: { turn: number } | undefined;
  /** where the file went, as far as somebody knows */
  renamedTo?: string | undefined;
}

type Refused = Exclude<Reverted, { kind: "text" }>;

/** @param lines where the conflicts stand; undefined: that cannot be said */
export function refusalWords(refused: Refused, refusal: Refusal, lines?: readonly Lines[]): string {
  const { path, later } = refusal;
  const cannot = cannotText(refusal);
  switch (refused.kind) {
    case "gone":
      return refusal.renamedTo === undefined
        ? `${path} is not there any more (deleted or renamed), so ${cannot}.`
        : `${path} is ${refusal.renamedTo} now, so ${cannot} under its old name. Rename it back first, or take the edit back there by hand.`;
    case "exists":
      return `There is a file ${path} again, so ${cannot}. Move it away first.`;
    case "differs":
      return later
        ? `A later edit of the agent (turn ${later.turn}) changed ${path}, so ${cannot}. Undo that one first.`
        : `${path} holds more than what the agent left there, so ${cannot} without losing that. Delete the file by hand if nothing in it is needed.`;
    case "conflict": {
      const [where, verb] = lines ? placeWords(lines) : ["Lines", "were changed"];
      return later
        ? `${where} of ${path} ${verb} by a later edit of the agent (turn ${later.turn}), so ${cannot} alone. Undo that one first, or open the diff of the turn to do it by hand.`
        : `${where} of ${path} ${verb} since, so ${cannot} without losing that. Open the diff of the turn to do it by hand.`;
    }
  }
}

function cannotText({ direction, edits }: Refusal): string {
  const what = edits === 1 ? "the edit" : `the ${counted(edits, "edit")}`;
  return `${what} can't be ${direction === "undo" ? "undone" : "made again"}`;
}

const MAX_PLACES = 3;

/** "Lines 10 to 14 and 20" "were changed", "Line 3" "was changed", "Lines before line 8" "were removed" */
function placeWords(lines: readonly Lines[]): [where: string, verb: string] {
  const [only, ...others] = lines;
  if (only && others.length === 0) {
    if (only.last < only.first) return [`Lines before line ${only.first}`, "were removed"];
    if (only.last === only.first) return [`Line ${only.first}`, "was changed"];
  }
  const places = lines.slice(0, MAX_PLACES).map(({ first, last }) => {
    if (last < first) return `around line ${first}`;
    return first === last ? `${first}` : `${first} to ${last}`;
  });
  if (lines.length > MAX_PLACES) places.push(counted(lines.length - MAX_PLACES, "more place"));
  const joined = places.length > 1 ? `${places.slice(0, -1).join(", ")} and ${places.at(-1)}` : places.join("");
  return [`Lines ${joined}`, "were changed"];
}
