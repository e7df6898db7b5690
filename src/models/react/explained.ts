/** Whether a call in a text is made, or shown: models explain forms of calls, and read files out that have some. Pure. */

/** What stands in front of something that is shown, in the words of some languages. */
const SHOWS = new RegExp(
  [
    "\\b(?:for (?:example|instance)|e\\.g\\.|examples?|samples?|looks? like|like (?:this|so|these)|as follows|such as|syntax|template)(?![\\w])",
    "\\b(?:formats? (?:is|are|of|for|looks)|would|could|might|never|do not|don['’]t|must not|instead of|not this)\\b",
    "\\b(?:says?|contains?|reads|shows?|quotes?|has|writes?|emits?|uses?|is|are|was|in|from)\\b[^.\\n]{0,40}:\\s*$",
    "beispiel|z\\. ?b\\.|exemple|ejemplo|esempio|exemplo|przykład|например|пример|例如|比如|示例|例子|如下|格式|例えば|예를 들어|예시",
  ].join("|"),
  "i",
);
/** The same behind it. */
const SHOWN =
  /\b(?:examples?|formats?|syntax|this|that|which|would|could|might|never|means?|if you|above|parses?|renders?|is (?:how|what)|do not|don['’]t)\b|beispiel|so sieht|ejemplo|exemple|пример|示例|例子|这是|以上|예시/i;
/** Models that wait for what comes of a call. */
const WAITS = /^\s*(?:i(?:['’]ll| will|['’]m| am)? (?:now )?(?:wait|await)|(?:a)?waiting|let me (?:wait|see what))/i;
/** of what stands before: the paragraph that leads to it */
const MAX_LEAD = 400;

/** @param said what stands before; @param rest behind it, from where the call ends; @param text the call and what is behind it */
export function meaningOf(said: string, rest: string, text: string): "call" | "text" | "example" | "unsure" {
  const lead =
    said
      .trimEnd()
      .slice(-MAX_LEAD)
      .split(/\n\s*\n/)
      .at(-1) ?? "";
  const isShown = SHOWS.test(lead);
  const behind = rest.trim();
  if (behind === "" || WAITS.test(behind)) return isShown ? "example" : "call";
  // It goes on in the same line.
  if (isShown || /^[ \t]*[\p{L}\p{N}(|]/u.test(rest) || SHOWN.test(behind.slice(0, MAX_LEAD))) return "text";
  // JSON is in many texts.
  return /^\s*[`{[]/.test(text) && !text.startsWith("[TOOL") ? "text" : "unsure";
}

/** @param whole what stands before a mark in its line */
export function isInQuotes(whole: string, { said, afterBlank }: { said: string; afterBlank: boolean }): boolean {
  if (/^\s{0,40}[>|]/.test(whole)) return true;
  const line = whole.slice(-MAX_LINE);
  if (/["'`]$/.test(line)) return true;
  if (afterBlank && /^(?: {4}|\t)\s*$/.test(line)) return true;
  const isInSpan = (line.match(/`+/g) ?? []).length % 2 === 1;
  const before = said.slice(-MAX_COMMENT) + line;
  return isInSpan || before.lastIndexOf("<!--") > before.lastIndexOf("-->");
}

const MAX_COMMENT = 500;
/** Longer ones are no lines that people read. */
const MAX_LINE = 4_000;
