import { type AttachmentKind, attachmentKind } from "../../../src/shared/mentions/attachments";

const attachments: Record<AttachmentKind, string> = {
  problems: "warning",
  selection: "list-selection",
  changes: "diff",
  terminal: "terminal",
};

const code =
  "bash c cc clj cpp cs css cts cxx dart erl ex go h hpp hs html java jl js jsx kt less lua m mjs ml mts php pl ps1 py r rb rs scala scss sh sql svelte swift ts tsx vue xml zig";
const media = "avif bmp gif ico jpeg jpg mp3 mp4 ogg png svg wav webm webp";
const others: Record<string, string> = {
  ...{ md: "markdown", mdx: "markdown", json: "json", jsonc: "json", jsonl: "json", ipynb: "notebook" },
  ...{ pdf: "file-pdf", zip: "file-zip", gz: "file-zip", tgz: "file-zip", "7z": "file-zip", txt: "file-text" },
};

const byEnding = new Map([
  ...code.split(" ").map(ending => [ending, "file-code"] as const),
  ...media.split(" ").map(ending => [ending, "file-media"] as const),
  ...Object.entries(others),
]);

/** The codicon of what a mention names. @param path of a file or folder, or an attachment's name */
export function mentionIcon(kind: "file" | "folder" | "attachment", path: string): string {
  if (kind === "folder") return "folder";
  const attachment = attachmentKind(path);
  if (kind === "attachment" && attachment) return attachments[attachment];
  const ending = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase();
  return byEnding.get(ending ?? "") ?? "file";
}
