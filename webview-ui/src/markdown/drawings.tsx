/** Formulas and diagrams in answers: drawn once all of one is there, by libraries that come with the first; a click shows the source. */
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { t } from "../../../src/shared/l10n";
import { plainText } from "../../../src/shared/shown";
import { Button } from "../controls/controls";
import type { MathToken } from "./maths";

/** `source`: a person looks at it; `none`: it cannot be drawn */
type Look = "drawn" | "source" | "none";

/** Code in the place of what it draws. @param back absent: it cannot be drawn */
function Source({ code, back }: { code: ReactNode; back: (() => void) | undefined }) {
  return (
    <div className="drawing">
      {code}
      {back ? (
        <Button onClick={back}>{t("Show the drawing")}</Button>
      ) : (
        <p className="quiet">{t("Not drawn: the source has a mistake or is too large.")}</p>
      )}
    </div>
  );
}

export function Formula({ token: { text, raw, block }, code }: { token: MathToken; code: ReactNode }) {
  const box = useRef<HTMLSpanElement>(null);
  const [look, show] = useState<Look>("drawn");
  useLayoutEffect(() => {
    if (look !== "drawn" || text === "") return;
    let wanted = true;
    const isDisplay = /^ *(?:\$\$|\\\[)/.test(raw);
    import("./formula").then(
      ({ drawFormula }) => wanted && box.current && !drawFormula(box.current, text, isDisplay) && show("none"),
      () => show("none"),
    );
    return () => {
      wanted = false;
    };
  }, [look, text, raw]);
  if (text === "") return <p>{raw}</p>;
  if (block && look !== "drawn") return <Source code={code} back={look === "none" ? undefined : () => show("drawn")} />;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: readers have the formula, and the answer's Markdown
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <span
      ref={box}
      className={block ? "drawing formula" : "formula"}
      title={look === "drawn" ? t("Show the source") : undefined}
      onClick={() => show(look === "drawn" ? "source" : "drawn")}
    >
      {look === "drawn" ? raw : <code>{raw}</code>}
    </span>
  );
}

/** @param code its place until it is drawn */
export function Diagram({ source, code }: { source: string; code: ReactNode }) {
  const [picture, setPicture] = useState<{ url: string; width: number }>();
  const [look, show] = useState<Look>("drawn");
  useEffect(() => {
    if (isTooLarge(source)) return show("none");
    const draw = () => drawDiagram(source).then(setPicture, () => show("none"));
    void draw();
    const themes = new MutationObserver(draw);
    themes.observe(document.body, { attributeFilter: ["class", "data-vscode-theme-id"] });
    return () => themes.disconnect();
  }, [source]);
  if (look !== "drawn") return <Source code={code} back={look === "none" ? undefined : () => show("drawn")} />;
  if (picture === undefined) return code;
  // What would be too small to read scrolls.
  const style = { minWidth: picture.width * 0.6, maxWidth: `max(100%, ${picture.width * 0.6}px)` };
  return (
    <div className="drawing">
      <button type="button" title={t("Show the source")} onClick={() => show("source")}>
        <img src={picture.url} alt={t("Diagram")} style={style} onError={() => show("none")} />
      </button>
    </div>
  );
}

/** Characters, and lines or nodes: a layout takes time that grows with their square, and the panel waits for it. */
const MAX_SOURCE = 6_000;
const MAX_PARTS = 200;

/** Spaces of a block diagram, days of a Gantt chart: Mermaid goes through them one by one. */
const ENDLESS = /space:\s{0,9}\d{4}|\b\d{5,}[a-z]/i;
const isOf = (kind: string, source: string) => new RegExp(`^[ \\t]{0,99}${kind}`, "m").test(source);

const isTooLarge = (source: string) =>
  source.length > MAX_SOURCE ||
  source.split(isOf("block", source) ? /\s+/ : /[\n;&]/).length > MAX_PARTS ||
  ENDLESS.test(source) ||
  (isOf("packet", source) && /\d{5}/.test(source));

async function drawDiagram(source: string) {
  if (!document.querySelector(".drawing-room")) {
    // No script runs in it: what draws there is this page's (esbuild.mjs).
    const frame = Object.assign(document.createElement("iframe"), { className: "drawing-room", title: t("Diagram") });
    frame.setAttribute("sandbox", "allow-same-origin");
    document.body.append(frame);
    Object.assign(globalThis, { drawingRoom: frame.contentWindow });
  }
  const { drawDiagram } = await import("./diagrams");
  await new Promise(resolve => requestIdleCallback(resolve));
  return drawDiagram(plainText(source), diagramLook());
}

const BLUE = "--vscode-charts-blue";
const HUES = [BLUE, "--vscode-charts-green", "--vscode-charts-purple", "--vscode-editorWarning-foreground"];

/** The theme as Mermaid reads it. */
function diagramLook() {
  const style = getComputedStyle(document.body);
  const colour = (name: string) => style.getPropertyValue(name) || style.color;
  const [text, line] = [style.color, colour("--vscode-descriptionForeground")];
  const [ground, box] = [colour("--vscode-editor-background"), colour("--vscode-textCodeBlock-background")];
  const hues = HUES.flatMap((hue, at) => [
    ...[`pie${at + 1}`, `git${at}`, `cScale${at}`].map(name => [name, colour(hue)]),
    ...[`gitBranchLabel${at}`, `cScaleLabel${at}`].map(name => [name, ground]),
  ]);
  return {
    ...{ ...Object.fromEntries(hues), pieSectionTextColor: ground, xyChart: { plotColorPalette: colour(BLUE) } },
    ...{ primaryColor: box, primaryBorderColor: line, primaryTextColor: text, lineColor: line, textColor: text },
    ...{ secondaryColor: box, tertiaryColor: ground, background: ground, edgeLabelBackground: ground },
    ...{ noteBkgColor: box, noteTextColor: text, noteBorderColor: line },
    ...{ darkMode: !document.body.classList.contains("vscode-light"), fontSize: style.fontSize },
    fontFamily: style.fontFamily,
  };
}
