/** Matches in what is drawn, as ranges: the words of an element, though colours and links cut them into many pieces. */
import { matchesIn } from "../../../../src/shared/findProtocol";

/** Words do not go on from one of these to the next. */
const BLOCKS =
  "p, li, pre, td, th, dt, dd, h2, h3, h4, h5, h6, div, button, section, summary, .line, .tool-verb, .tool-object";
/** What is a control, or said to screen readers alone, is not a part of the conversation. */
const APART = ".visually-hidden, .codicon, .older, .find-apart";
/** Of one element: beyond that nobody sees one beside the other. */
const MOST = 2_000;

interface DrawnText {
  node: Text;
  /** where it begins in the whole text */
  at: number;
}

/** In their order. @param expression global, as `findExpression` makes it */
export function rangesIn(element: Element, expression: RegExp): Range[] {
  const { text, pieces } = wordsOf(element);
  let piece = 0;
  const place = (at: number, isEnd: boolean): [Text, number] | undefined => {
    // An end belongs to the piece before it.
    while (piece + 1 < pieces.length && (pieces[piece + 1]?.at ?? 0) + (isEnd ? 0 : -1) < at) piece += 1;
    const found = pieces[piece];
    return found && [found.node, Math.min(at - found.at, found.node.length)];
  };
  return matchesIn(text, expression, MOST).flatMap(([from, to]) => {
    const [start, end] = [place(from, false), place(to, true)];
    if (start === undefined || end === undefined) return [];
    const range = document.createRange();
    range.setStart(...start);
    range.setEnd(...end);
    return [range];
  });
}

function wordsOf(element: Element): { text: string; pieces: DrawnText[] } {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const pieces: DrawnText[] = [];
  const texts: string[] = [];
  let at = 0;
  let block: Element | null | undefined;
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    const parent = node.parentElement;
    if (parent === null || parent.closest(APART)) continue;
    const around = parent.closest(BLOCKS);
    if (block !== undefined && block !== around) {
      texts.push("\n");
      at += 1;
    }
    block = around;
    pieces.push({ node, at });
    texts.push(node.data);
    at += node.length;
  }
  return { text: texts.join(""), pieces };
}
