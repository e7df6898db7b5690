/** How the wording of somebody else is quoted where a person's words stand in quotes of their own. Pure. */
import { collapseWhitespace, cutPoint } from "./format";

/** On one line, between marks that it has none of itself: nothing in it ends it, or looks like what a person said. */
export function othersWording(text: string, characters: number): string {
  const plain = collapseWhitespace(text.replace(/["“”„‟«»‹›*#`~]/g, " ")).trim();
  return `‹${plain.slice(0, cutPoint(plain, characters))}${plain.length > characters ? "…" : ""}›`;
}
