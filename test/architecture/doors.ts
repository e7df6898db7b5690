/** Text that goes out takes one door each (invariants 8 and 9): what makes `Redacted` and `Shown`, and what goes past them, stands here with a reason. */
import type { Files } from "./imports";

interface Door {
  sign: RegExp;
  /** Files that may, each with why. */
  files: Record<string, string>;
}

const doors: readonly Door[] = [
  {
    sign: /\bas Redacted\b/,
    files: {
      "src/core/secrets/redact.ts": "the redactor makes it",
      "src/shared/redacted.ts": "a part of such a text, none, and what a record has",
    },
  },
  { sign: /\bas Shown\b/, files: { "src/shared/shown.ts": "all ways of showing are there" } },
  {
    sign: /\.putBlob\(/,
    files: {
      "src/core/log/recordedTexts.ts": "keepText, which takes Redacted",
      "src/core/context/requestLog.ts": "segments: of layers and tools, which are Redacted, and of records",
      "src/core/agent/observation.ts": "pictures",
    },
  },
  {
    sign: /\bwindow\.(?:showInformationMessage|showWarningMessage|showErrorMessage|showQuickPick|createQuickPick)\b/,
    files: { "src/vscode/platform/messages.ts": "makes all of them visible" },
  },
  { sign: /\bprocess\.std(?:out|err)\.write\(/, files: {} },
];

/** @param files path relative to the project → text */
export function pastDoors(files: Files): string[] {
  return [...files].flatMap(([path, text]) =>
    /^(?:src|webview-ui\/src)\//.test(path)
      ? doors.flatMap(({ sign, files: may }) =>
          sign.test(text) && !(path in may) ? [`${path}: ${sign.source} is for ${Object.keys(may).join(", ")}`] : [],
        )
      : [],
  );
}
