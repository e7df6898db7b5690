/**
 * The program of the frame that draws diagrams. Mermaid lays out in a page of its own, whose styles are not the panel's; what comes out
 * is a picture, in which nothing runs. Loaded with the first diagram.
 */
import mermaid from "mermaid";
import type { DrawDiagram } from "./drawings";

const nonce = document.querySelector("script")?.nonce ?? "";
allowStyles();

/** The page's CSP takes styles from scripts, and from text with the nonce. */
function allowStyles(): void {
  const { setAttribute } = Element.prototype;
  Element.prototype.setAttribute = function (this: SVGElement, name, value) {
    if (name === "style") this.style.cssText = value;
    else setAttribute.call(this, name, value);
  };
  const createElement = document.createElement.bind(document);
  document.createElement = (name: string) => Object.assign(createElement(name), name === "style" && { nonce });
  // Mermaid has what it drew looked through once more, as text.
  const { parseFromString } = DOMParser.prototype;
  DOMParser.prototype.parseFromString = function (html, type) {
    const text = `${html}`.replaceAll(" style=", " data-style=");
    const styled = text.startsWith("<svg") ? text.replaceAll("<style>", `<style nonce="${nonce}">`) : text;
    return parseFromString.call(this, styled, type);
  };
}

/** Beside those that Mermaid names, what no diagram sets for itself. */
const secure = [
  "htmlLabels",
  "flowchart",
  "theme",
  "themeVariables",
  "themeCSS",
  "fontFamily",
  "altFontFamily",
  "logLevel",
];

/** Models colour boxes for one ground: their words get the colour that can be read on theirs. */
const readable = (code: string) =>
  code.replace(/\bfill: ?#([\da-f]{6}|[\da-f]{3})\b(?![^\n;]*\bcolor:)/gi, (fill, hex: string) => {
    const light = [...hex].filter((digit, at) => at % (hex.length / 3) === 0 && digit > "7").length > 1;
    return `${fill},color:${light ? "#000" : "#fff"}`;
  });

const drawDiagram: DrawDiagram = async (code, { fontFamily, ...colours }) => {
  mermaid.initialize({
    ...{ startOnLoad: false, securityLevel: "strict", suppressErrorRendering: true, logLevel: "fatal", secure },
    ...{ maxTextSize: code.length, maxEdges: 200, htmlLabels: false, flowchart: { htmlLabels: false } },
    ...{ theme: "base", themeVariables: { ...colours, fontFamily }, fontFamily },
  });
  const { svg } = await mermaid.render("diagram", readable(code), document.body);
  const [, , width = 0, height = 0] = (/ viewBox="([^"]*)"/.exec(svg)?.[1] ?? "").split(/[\s,]+/).map(Number);
  const sized = svg
    .replace(
      /^<svg[^>]*/,
      tag => `${tag.replace(/ (?:width|height|style)="[^"]*"/g, "")} width="${width}" height="${height}"`,
    )
    .replaceAll(" data-style=", " style=")
    .replaceAll(` nonce="${nonce}"`, "")
    .replaceAll("&nbsp;", "&#160;");
  return { url: `data:image/svg+xml,${encodeURIComponent(sized)}`, width };
};

Object.assign(window, { drawDiagram });
