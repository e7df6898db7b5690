/** Markdown tokens → React elements: a row a token type. No HTML is ever parsed; raw HTML of the model is shown as text. */
import { Lexer, type MarkedToken, type Token, type Tokens } from "marked";
import { Fragment, type ReactNode, useLayoutEffect, useMemo, useState } from "react";
import { t } from "../../../src/shared/l10n";
import { visibleLine } from "../../../src/shared/shown";
import { CopyButton, InlineLink } from "../controls/controls";
import { usePanel } from "../panel/hooks";
import { Diagram, Formula } from "./drawings";
import type { CodeSpan, Highlight } from "./highlight";
import type { LinkTarget, TextLink } from "./links";
import { codeTarget, decodeEntities, linkTarget, splitOutput, splitReferences } from "./links";
import type { MathToken } from "./maths";

type TokenTable = { [T in MarkedToken["type"]]: (token: Extract<MarkedToken, { type: T }>) => ReactNode };

const table: TokenTable = {
  space: () => null,
  def: () => null,
  hr: () => <hr />,
  br: () => <br />,
  code: renderCode,
  heading: renderHeading,
  paragraph: token => <p>{renderAll(token.tokens)}</p>,
  blockquote: token => <blockquote>{renderAll(token.tokens)}</blockquote>,
  list: renderList,
  list_item: token => <li className={token.task ? "task" : undefined}>{renderAll(token.tokens)}</li>,
  checkbox: token => (
    <span
      className={`task-mark codicon codicon-${token.checked ? "pass-filled" : "circle-large"}`}
      role="img"
      aria-label={token.checked ? t("done") : t("to do")}
    />
  ),
  table: renderTable,
  html: token => (/^<br\s*\/?>$/i.test(token.raw.trim()) ? <br /> : token.raw),
  text: token => ("tokens" in token && token.tokens ? renderAll(token.tokens) : renderWords(token.text)),
  escape: token => decodeEntities(token.text),
  strong: token => <strong>{renderAll(token.tokens)}</strong>,
  em: token => <em>{renderAll(token.tokens)}</em>,
  del: token => <del>{renderAll(token.tokens)}</del>,
  codespan: token => renderTarget(codeTarget(token.text), <code>{token.text}</code>),
  link: token => renderTarget(linkTarget(token.href), renderAll(token.tokens), token.href),
  // a picture would be loaded from somewhere: its words and address are shown in its place
  image: token => renderTarget(linkTarget(token.href), t("Image: {0}", token.text || token.href), token.href),
};

export function renderToken(token: Token): ReactNode {
  if (token.type === "math") {
    return <Formula token={token as MathToken} code={<CodeBlock code={token.raw.trim()} language="latex" />} />;
  }
  const render = table[token.type as MarkedToken["type"]] as ((token: Token) => ReactNode) | undefined;
  return render === undefined ? token.raw : render(token);
}

/** For text in controls: code and stress, no blocks and no links. */
export const renderInline = (text: string): ReactNode => renderPlain(Lexer.lexInline(text));

const plainTags: Readonly<Record<string, "code" | "strong" | "em">> = { codespan: "code", strong: "strong", em: "em" };

function renderPlain(tokens: readonly Token[]): ReactNode {
  return tokens.map((token, index) => {
    const Tag = plainTags[token.type] ?? Fragment;
    const inside = "tokens" in token && Tag !== Fragment ? renderPlain(token.tokens ?? []) : token.raw;
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their place
    return <Tag key={index}>{token.type === "codespan" ? token.text : inside}</Tag>;
  });
}

function renderAll(tokens: readonly Token[]): ReactNode {
  // tokens have no identity of their own: a block is rendered as a whole, and their place is their key
  // biome-ignore lint/suspicious/noArrayIndexKey: see above
  return tokens.map((token, index) => <Fragment key={index}>{renderToken(token)}</Fragment>);
}

const renderWords = (text: string): ReactNode => <Pieces pieces={splitReferences(decodeEntities(text))} />;

function Pieces({ pieces }: { pieces: readonly TextLink[] }): ReactNode {
  // Within an element, so that jsx.ts makes plain what it holds.
  if (pieces.every(piece => piece.target.kind === "none")) return <>{pieces.map(piece => piece.text).join("")}</>;
  // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their place
  return pieces.map((piece, index) => <Fragment key={index}>{renderTarget(piece.target, piece.text)}</Fragment>);
}

/** `address`, where the link leads nowhere, is shown behind its words: nothing is hidden. */
function renderTarget(target: LinkTarget, children: ReactNode, address = ""): ReactNode {
  if (target.kind === "web") {
    // VS Code opens it outside, after asking where it does not know the address
    return (
      <a href={target.url} title={target.url} target="_blank" rel="noreferrer">
        {children}
      </a>
    );
  }
  if (target.kind !== "none") return <OpeningLink target={target}>{children}</OpeningLink>;
  if (address === "") return children;
  return (
    <>
      {children} <span className="quiet">({address})</span>
    </>
  );
}

function renderHeading(token: Tokens.Heading): ReactNode {
  // below the turn's heading, whichever of the two a model begins with; small, since an answer is no document
  const Tag = headings[Math.min(token.depth, headings.length) - 1] ?? "h6";
  return <Tag className={`heading heading-${token.depth}`}>{renderAll(token.tokens)}</Tag>;
}

const headings = ["h3", "h3", "h4", "h5", "h6"] as const;

function renderList(token: Tokens.List): ReactNode {
  const items = renderAll(token.items);
  const start = typeof token.start === "number" ? token.start : undefined;
  return token.ordered ? <ol start={start}>{items}</ol> : <ul>{items}</ul>;
}

/** Characters. */
const LONG_CELL = 24;

function renderTable(token: Tokens.Table): ReactNode {
  const cell = (Tag: "th" | "td", cell: Tokens.TableCell, index: number) => (
    <Tag key={index} className={`align-${cell.align ?? "start"}${cell.text.length > LONG_CELL ? " long" : ""}`}>
      {renderAll(cell.tokens)}
    </Tag>
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard
    <section className="table-scroll" tabIndex={0} aria-label={t("Table")}>
      <table>
        <thead>
          <tr>{token.header.map((header, index) => cell("th", header, index))}</tr>
        </thead>
        <tbody>
          {token.rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
            <tr key={at}>{row.map((data, index) => cell("td", data, index))}</tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A diagram is drawn once the fence is closed. */
function renderCode({ text, lang, raw }: Tokens.Code): ReactNode {
  const language = /^\S*/.exec(lang ?? "")?.[0]?.toLowerCase() ?? "";
  const code = <CodeBlock code={text} language={language} />;
  return language === "mermaid" && /\n {0,3}(?:```+|~~~+)\s*$/.test(raw) ? <Diagram source={text} code={code} /> : code;
}

type LocalTarget = Extract<LinkTarget, { kind: "file" | "handle" }>;

/** Words that open a recorded output whole, or a file of the workspace; one that is not there says so on the click. */
function OpeningLink({ target, children }: { target: LocalTarget; children: ReactNode }) {
  const panel = usePanel();
  const open = () => {
    if (target.kind === "handle") return void panel.ask("openHandle", { handle: target.handle });
    const { path, line, kind: _, ...more } = target;
    panel.openFile(path, line, more);
  };
  const place = target.kind === "handle" ? target.handle : [target.path, target.line].filter(Boolean).join(":");
  return (
    <InlineLink title={t("Open {0}", visibleLine(place))} onClick={open}>
      {children}
    </InlineLink>
  );
}

/** A line of an output: files and outputs that it names open. */
export const LinkedLine = ({ text }: { text: string }) => <Pieces pieces={splitOutput(text)} />;

const plain: Highlight = code => [{ text: code, scope: null }];

/** A fenced or indented block of code with its Copy button. */
function CodeBlock({ code, language }: { code: string; language: string }) {
  const highlight = useHighlight();
  const spans = useMemo(() => highlight(code, language), [highlight, code, language]);
  return (
    <div className="code-block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard */}
      <section tabIndex={0} aria-label={language === "" ? t("Code") : t("Code in {0}", language)}>
        <pre>
          <code>{spans.map(drawSpan)}</code>
        </pre>
      </section>
      <CopyButton text={code} label={t("Copy code")} />
    </div>
  );
}

/** Plain until the grammars are there, which come with the first code there is: the panel opens without them. */
export function useHighlight(): Highlight {
  const [highlight, setHighlight] = useState<Highlight>(() => plain);
  useLayoutEffect(() => {
    import("./highlight").then(
      module => setHighlight(() => module.highlight),
      error => console.warn("Code stays without colours.", error),
    );
  }, []);
  return highlight;
}

/** "title.function" gets the classes "hl-title hl-function"; `changed`: in a diff. @param at its place, which is its identity */
export function drawSpan({ text, scope, changed = false }: CodeSpan & { changed?: boolean }, at: number): ReactNode {
  if (scope === null && !changed) return text;
  const names = [...(scope === null ? [] : [`hl-${scope.replaceAll(".", " hl-")}`]), ...(changed ? ["diff-word"] : [])];
  return (
    <span key={at} className={names.join(" ")}>
      {text}
    </span>
  );
}
