/** TeX → MathML, which the browser draws by itself: no fonts, no inline styles. Loaded with the first formula. */
import katex from "katex";
import { plainText } from "../../../src/shared/shown";

/** For Mermaid. */
export default katex;

/** Characters. */
const MAX_TEX = 4_000;
/** What a macro may have made of them, elements. */
const MAX_DRAWN = 4_000;

/** What they make is bounded by calls alone, however long each is. */
const DEFINES = /\\(?:[gex]?def|let|futurelet|(?:re)?newcommand|providecommand)\b/;

/** Draws in place of the box's content. false: TeX that is wrong, or too much */
export function drawFormula(box: HTMLElement, tex: string, display: boolean): boolean {
  const drawn = document.createElement("span");
  const bounds = { maxExpand: 300, maxSize: 20, trust: false, strict: false };
  try {
    if (tex.length > MAX_TEX || DEFINES.test(tex)) return false;
    katex.render(plainText(tex), drawn, { ...bounds, output: "mathml", displayMode: display });
  } catch {
    return false;
  }
  if (drawn.getElementsByTagName("*").length > MAX_DRAWN) return false;
  box.replaceChildren(drawn);
  return true;
}
