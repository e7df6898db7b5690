/**
 * What the offline model answers where it is asked for something small: a session's name, a commit message. As all of the demo
 * it is a script: it says what anyone could count.
 */

/** @param {import("./server.mjs").OfflineRequest} request @returns {import("./server.mjs").OfflineAnswer | undefined} undefined: it is something else */
export function smallAnswer({ messages }) {
  const asked = messages.map(({ role, text }) => (role === "user" ? "" : text)).join("\n");
  const text = messages.findLast(({ role }) => role === "user")?.text ?? "";
  if (asked.startsWith("You name conversations")) return { text: nameOf(text) };
  return asked.startsWith("You write commit messages") ? { text: commitMessage(text) } : undefined;
}

/** The first words of what the person asked for, and no answer of a model. @param {string} text */
function nameOf(text) {
  const [asked = ""] = text.replace(/^The person:\s*/, "").split("\n");
  const words = asked.replace(/@\S+/g, "").trim().split(/\s+/).slice(0, 6).join(" ");
  return words || "Conversation";
}

/** @param {string} text */
function commitMessage(text) {
  const files = [...text.matchAll(/^diff --git a\/(\S+)/gm)].map(match => match[1]);
  const [first = "files"] = files;
  return files.length > 1 ? `Change ${first} and ${files.length - 1} more` : `Change ${first}`;
}
