/** What is asked before sessions go for good: by their names, since a number says nothing about what is lost. */

/** A dialog holds so many lines. */
const MAX_NAMED = 10;
const MAX_NAME = 80;

export function deletionWords(titles: readonly string[]): { question: string; detail: string } {
  const named = titles.map(title => `“${title.length > MAX_NAME ? `${title.slice(0, MAX_NAME - 1)}…` : title}”`);
  const lost = "Messages, outputs and archives go with it. To keep a copy, export the session first.";
  const [only] = named;
  if (only !== undefined && named.length === 1)
    return { question: `Delete the session ${only} for good?`, detail: lost };
  const more = named.length - MAX_NAMED;
  const list = [...named.slice(0, MAX_NAMED), ...(more > 0 ? [`and ${more} more`] : [])];
  return { question: `Delete these ${named.length} sessions for good?`, detail: `${list.join("\n")}\n\n${lost}` };
}
