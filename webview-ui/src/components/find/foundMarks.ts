/** Shows what was found: marks in sight (CSS highlights: the page does not change), and the way to one match. */
import { matchesIn } from "../../../../src/shared/findProtocol";
import type { RevealTarget } from "../../panel/find";

/** Words do not go on from one of these to the next. */
const BLOCKS =
  "p, li, pre, td, th, dt, dd, h2, h3, h4, h5, h6, div, button, section, summary, .line, .tool-verb, .tool-object";
/** What is a control, said to screen readers alone, or TeX beside its drawing, is not a part of the conversation. */
const APART = ".visually-hidden, .codicon, .older, .find-apart, [encoding]";
/** Of one element: beyond that marks run into each other. */
const MOST = 2_000;

/** In their order. @param expression global, as `findExpression` makes it */
function rangesIn(element: Element, expression: RegExp): Range[] {
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

function wordsOf(element: Element) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  /** `at`: where it begins in the whole text */
  const pieces: { node: Text; at: number }[] = [];
  let text = "";
  let block: Element | null | undefined;
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    const parent = node.parentElement;
    if (parent === null || parent.closest(APART)) continue;
    const around = parent.closest(BLOCKS);
    if (block !== undefined && block !== around) text += "\n";
    block = around;
    pieces.push({ node, at: text.length });
    text += node.data;
  }
  return { text, pieces };
}

const ALL = "strata-found";
const CURRENT = "strata-found-current";
/** px above what is shown */
const ABOVE = 16;
/** Frames until what was drawn on the way lies still. */
const STILL = 3;

/** Something folded that is no menu. */
const FOLDED = '[aria-expanded="false"]:not([aria-haspopup])';

export class FoundMarks {
  #expression: RegExp | null = null;
  #current: RevealTarget | undefined;
  #goal: RevealTarget | null = null;
  #opens = false;
  /** what was unfolded for the goal */
  readonly #unfolded = new Set<Element>();
  #still = 0;
  #scheduled = false;

  /** @param leave the newest is not followed any more */
  constructor(
    private readonly scroller: HTMLElement,
    private readonly content: HTMLElement,
    private readonly leave: () => void,
  ) {}

  /** Gives back what ends it. */
  start(): () => void {
    const { scroller, content } = this;
    const mutations = new MutationObserver(() => this.#soon());
    mutations.observe(content, { childList: true, subtree: true, characterData: true });
    const sizes = new ResizeObserver(() => this.#soon());
    sizes.observe(content);
    const listening = new AbortController();
    const passive = { passive: true, signal: listening.signal };
    scroller.addEventListener("scroll", () => this.#soon(), passive);
    // The person scrolls: they are not pulled back.
    for (const type of ["wheel", "pointerdown", "keydown"] as const)
      scroller.addEventListener(type, () => this.#arrive(), passive);
    return () => {
      mutations.disconnect();
      sizes.disconnect();
      listening.abort();
      clear();
    };
  }

  /** @param expression null: nothing is looked for */
  mark(expression: RegExp | null, current: RevealTarget | undefined): void {
    this.#expression = expression;
    this.#current = current;
    if (expression === null) clear();
    this.#soon();
  }

  /** @param opens a call is opened and gets the focus: the person asked to see it */
  reveal(goal: RevealTarget, opens = false): void {
    this.leave();
    this.#goal = goal;
    this.#opens = opens;
    this.#unfolded.clear();
    this.#still = 0;
    this.#soon();
  }

  #soon(): void {
    if (this.#scheduled || (this.#expression === null && this.#goal === null)) return;
    this.#scheduled = true;
    requestAnimationFrame(() => {
      this.#scheduled = false;
      this.#approach();
      if (this.#expression !== null) this.#draw(this.#expression);
    });
  }

  #arrive(): void {
    this.#goal = null;
  }

  #draw(expression: RegExp): void {
    const inSight = this.#chunksInSight();
    CSS.highlights.set(ALL, new Highlight(...inSight.flatMap(chunk => rangesIn(chunk, expression))));
    const item = this.#current && this.#itemOf(this.#current.key);
    const current = item && inSight.some(chunk => chunk.contains(item)) && this.#matchIn(item, this.#current?.nth ?? 0);
    const highlight = new Highlight(...(current ? [current] : []));
    highlight.priority = 1;
    CSS.highlights.set(CURRENT, highlight);
  }

  #chunksInSight(): Element[] {
    const { top, bottom } = this.scroller.getBoundingClientRect();
    return [...this.content.querySelectorAll(":scope > .chunk")].filter(chunk => {
      const box = chunk.getBoundingClientRect();
      return box.bottom > top && box.top < bottom;
    });
  }

  #itemOf(key: string): HTMLElement | null {
    return this.content.querySelector<HTMLElement>(`[data-item="${CSS.escape(key)}"]`);
  }

  /** The log may have more matches than are drawn, in addresses and in marks of Markdown: then the last one. */
  #matchIn(item: Element, nth: number): Range | undefined {
    const ranges = this.#expression ? rangesIn(item, this.#expression) : [];
    return ranges[nth] ?? ranges.at(-1);
  }

  /** One step on the way to the goal: what hides it is unfolded, and says so by a change. */
  #approach(): void {
    if (this.#goal === null) return;
    const { key, nth } = this.#goal;
    const item = this.#itemOf(key);
    if (item === null) {
      const holder = this.content.querySelector(`[data-holds~="${CSS.escape(key)}"]`);
      return void (holder && this.#unfold(holder));
    }
    if (this.#opens) {
      this.#opens = false;
      const toggle = item.querySelector<HTMLElement>(".tool-toggle");
      toggle?.focus({ preventScroll: true });
      if (toggle?.matches(FOLDED)) toggle.click();
    }
    const ranges = this.#expression && nth !== undefined ? rangesIn(item, this.#expression) : [];
    if (nth !== undefined && ranges.length <= nth && this.#unfold(item)) return;
    const range = ranges[nth ?? 0] ?? ranges.at(-1);
    const moved = this.#scrollTo(range ?? item, range?.startContainer.parentElement ?? item.parentElement);
    this.#still = moved ? 0 : this.#still + 1;
    if (this.#still < STILL) this.#soon();
    else this.#arrive();
  }

  #unfold(around: Element): boolean {
    const all = [...around.querySelectorAll<HTMLElement>(FOLDED)];
    const folded = all.find(each => !this.#unfolded.has(each) && !each.matches(":disabled"));
    if (folded === undefined) return false;
    this.#unfolded.add(folded);
    folded.click();
    this.#soon();
    return true;
  }

  /** px of the log that lie below the find bar */
  get #covered(): number {
    return this.scroller.parentElement?.querySelector<HTMLElement>(".find")?.offsetHeight ?? 0;
  }

  /** Through all boxes that scroll. Whether anything moved. */
  #scrollTo(what: Range | Element, within: Element | null): boolean {
    let moved = false;
    for (let box = within; box !== null; box = box.parentElement) {
      const isLast = box === this.scroller;
      const { overflowX, overflowY } = getComputedStyle(box);
      const place = what.getBoundingClientRect();
      const frame = box.getBoundingClientRect();
      const [left, top] = [box.scrollLeft, box.scrollTop];
      const above = isLast ? ABOVE + this.#covered : 0;
      const isWhole = what instanceof Range && place.top >= frame.top + above && place.bottom <= frame.bottom;
      if (overflowY !== "visible" && !isWhole) {
        // A match with its surroundings; an item from its beginning.
        const rest = what instanceof Range ? (box.clientHeight - place.height) / 3 : 0;
        box.scrollTop += place.top - frame.top - Math.max(above, rest);
      }
      if (!isLast && overflowX !== "visible" && !(place.left >= frame.left && place.right <= frame.right))
        box.scrollLeft += place.left - frame.left - box.clientWidth / 3;
      moved ||= Math.abs(box.scrollTop - top) > 1 || Math.abs(box.scrollLeft - left) > 1;
      if (isLast) break;
    }
    return moved;
  }
}

function clear(): void {
  for (const name of [ALL, CURRENT]) CSS.highlights.delete(name);
}
