/** Markdown as HTML for a page that loads nothing: a row a token type. No HTML of the text ever passes, and no link leads out. */
import type { MarkedToken, Token, Tokens } from "marked";
import { boundedLex } from "../../shared/boundedLexer";
import { t } from "../../shared/l10n";
import { escapedHtml } from "./escapedHtml";

type HtmlTable = { [T in MarkedToken["type"]]: (token: Extract<MarkedToken, { type: T }>) => string };

const table: HtmlTable = {
  space: () => "",
  def: () => "",
  hr: () => "<hr>",
  br: () => "<br>",
  code: ({ text }) => `<pre dir="auto">${escapedHtml(text)}</pre>`,
  // Below the title and who speaks.
  heading: ({ depth, tokens }) => element(`h${Math.min(depth + 2, 6)}`, all(tokens)),
  paragraph: ({ tokens }) => element("p", all(tokens)),
  blockquote: ({ tokens }) => `<blockquote>${all(tokens)}</blockquote>`,
  list: ({ ordered, start, items }) =>
    ordered ? `<ol start="${Number(start) || 0}">${all(items)}</ol>` : `<ul>${all(items)}</ul>`,
  list_item: ({ tokens }) => element("li", all(tokens)),
  checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
  table: ({ header, rows }) => `<table>${[row("th", header), ...rows.map(cells => row("td", cells))].join("")}</table>`,
  html: ({ raw, block }) => (block ? element("p", escapedHtml(raw.trim())) : words(raw)),
  text: token => ("tokens" in token && token.tokens ? all(token.tokens) : words(token.raw)),
  escape: ({ text }) => words(text),
  strong: ({ tokens }) => `<strong>${all(tokens)}</strong>`,
  em: ({ tokens }) => `<em>${all(tokens)}</em>`,
  del: ({ tokens }) => `<del>${all(tokens)}</del>`,
  codespan: ({ text }) => `<code>${escapedHtml(text)}</code>`,
  link: ({ href, text, tokens }) => (href === text ? all(tokens) : `${all(tokens)} (${escapedHtml(href)})`),
  image: ({ href, text }) => escapedHtml(`${t("Image: {0}", text || href)}${text ? ` (${href})` : ""}`),
};

/** @param text from which all that nobody may see was taken: what it has is shown */
export const markdownHtml = (text: string): string => boundedLex(text).map(outermost).join("");

/** What could not be read stands in no paragraph yet. */
const outermost = (token: Token): string => (token.type === "text" ? element("p", one(token)) : one(token));

const all = (tokens: readonly Token[]): string => tokens.map(one).join("");

function one(token: Token): string {
  const render = table[token.type as MarkedToken["type"]] as ((token: Token) => string) | undefined;
  return render ? render(token) : escapedHtml(token.raw);
}

const element = (name: string, html: string) => `<${name} dir="auto">${html}</${name}>`;

const row = (name: "th" | "td", cells: readonly Tokens.TableCell[]) =>
  `<tr>${cells.map(({ tokens }) => element(name, all(tokens))).join("")}</tr>`;

/**
 * As it was written: by a character's number one could write what is not to be seen, or was taken out. The few names that people
 * write are those characters.
 */
const words = (raw: string): string => escapedHtml(raw).replace(/&amp;(amp|lt|gt|quot|nbsp|#39);/g, "&$1;");
