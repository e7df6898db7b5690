/** What an exported session's file is called. Pure. */

/** @param title redacted */
export function exportName(id: string, title: string): string {
  const slug = slugify(title);
  return `${slug ? `${slug}-` : ""}${id}.strata.jsonl`;
}

/** A title as a part of a file's name, in any script. */
function slugify(title: string): string {
  const words =
    title
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return [...words.join("-")].slice(0, 40).join("").replace(/-$/, "");
}
