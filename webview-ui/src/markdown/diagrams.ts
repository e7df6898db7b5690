/**
 * Mermaid lays out in a frame of its own, whose styles are not the panel's and in which no script runs: it is built so that `window` and
 * `document` are that frame's (esbuild.mjs). What comes out is a picture. Loaded with the first diagram.
 */
import mermaid from "mermaid";

const nonce = globalThis.document.querySelector<HTMLElement>("script[nonce]")?.nonce ?? "";
allowStyles(window as unknown as typeof globalThis);

/** The page's CSP, which is the frame's too, takes styles from scripts, and from text with the nonce. */
function allowStyles({ Element: { prototype }, DOMParser: { prototype: parser } }: typeof globalThis): void {
  const { setAttribute } = prototype;
  prototype.setAttribute = function (this: SVGElement, name, value) {
    if (name === "style") this.style.cssText = value;
    else setAttribute.call(this, name, value);
  };
  const createElement = document.createElement.bind(document);
  document.createElement = (name: string) => Object.assign(createElement(name), name === "style" && { nonce });
  // Mermaid has what it drew looked through once more, as text.
  const { parseFromString } = parser;
  parser.parseFromString = function (html, type) {
    const text = `${html}`.replaceAll(" style=", " data-style=");
    const styled = text.startsWith("<svg") ? text.replaceAll("<style>", `<style nonce="${nonce}">`) : text;
    return parseFromString.call(this, styled, type);
  };
}

/** Beside those that Mermaid names, what no diagram sets for itself. */
const secure = "htmlLabels flowchart theme themeVariables themeCSS fontFamily altFontFamily logLevel".split(" ");

/** Models colour boxes for one ground: their words get the colour that can be read on theirs. */
const readable = (code: string) =>
  code.replace(/\bfill: ?#([\da-f]{6}|[\da-f]{3})\b(?![^\n;]*\bcolor:)/gi, (fill, hex: string) => {
    const light = [...hex].filter((digit, at) => at % (hex.length / 3) === 0 && digit > "7").length > 1;
    return `${fill},color:${light ? "#000" : "#fff"}`;
  });

/** @param look Mermaid's variables of a theme @returns its address, and its width in px; rejects where it is no diagram */
export async function drawDiagram(code: string, look: { fontFamily: string }): Promise<{ url: string; width: number }> {
  mermaid.initialize({
    ...{ startOnLoad: false, securityLevel: "strict", suppressErrorRendering: true, logLevel: "fatal", secure },
    ...{ maxTextSize: 20_000, maxEdges: 200, htmlLabels: false, flowchart: { htmlLabels: false } },
    ...{ theme: "base", themeVariables: look, fontFamily: look.fontFamily },
  });
  const { svg } = await mermaid.render("diagram", readable(code), document.body);
  const [, , width = 0, height = 0] = (/ viewBox="([^"]*)"/.exec(svg)?.[1] ?? "").split(/[\s,]+/).map(Number);
  const size = ` width="${width}" height="${height}"`;
  const sized = svg
    .replace(/^<svg[^>]*/, tag => tag.replace(/ (?:width|height|style)="[^"]*"/g, "") + size)
    .replaceAll(" data-style=", " style=")
    .replaceAll(` nonce="${nonce}"`, "")
    .replaceAll("&nbsp;", "&#160;");
  return { url: `data:image/svg+xml,${encodeURIComponent(sized)}`, width };
}
