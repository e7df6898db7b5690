import type { Panel } from "../../panel/panel";

/** What is nearer to the upper edge than this stands there, px. */
const NEAR = 64;

/** The prompt above what is in sight, or the one below its upper edge; undefined: there is none. */
export async function nextPrompt(
  panel: Panel,
  scroller: HTMLElement,
  content: HTMLElement,
  by: 1 | -1,
): Promise<string | undefined> {
  for (;;) {
    const { top } = scroller.getBoundingClientRect();
    const { chunks, hasOlder, firstSeq } = panel.store.get().session;
    const prompts = chunks.flatMap(({ items }) => items.flatMap(({ kind, key }) => (kind === "user" ? [key] : [])));
    const places = placesOf(content);
    const below = (key: string) => (places.get(key) ?? Number.NEGATIVE_INFINITY) - top;
    const found = by < 0 ? prompts.findLast(key => below(key) < -4) : prompts.find(key => below(key) > NEAR);
    if (found !== undefined || by > 0 || !hasOlder) return found;
    await panel.older();
    // Refused, and said so.
    if (panel.store.get().session.firstSeq === firstSeq) return undefined;
  }
}

/** Upper edges by key; of what is not drawn that of its place. */
function placesOf(content: HTMLElement): Map<string, number> {
  const places = new Map<string, number>();
  for (const far of content.querySelectorAll<HTMLElement>(".far")) {
    const { top } = far.getBoundingClientRect();
    for (const key of far.dataset.holds?.split(" ") ?? []) places.set(key, top);
  }
  for (const item of content.querySelectorAll<HTMLElement>(".user[data-item]"))
    places.set(item.dataset.item ?? "", item.getBoundingClientRect().top);
  return places;
}
