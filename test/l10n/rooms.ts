/** Where every sentence for people is translated, and what looks like one there and is none. */
import { forPrograms } from "./forPrograms";

/** Beginnings of paths. */
const translated: readonly string[] = [
  "src/cli",
  "src/core/",
  "src/extension",
  "src/mcp/",
  "src/models/",
  "src/node/",
  "src/shared/",
  "src/terminal/",
  "src/vscode/",
  "webview-ui/src/",
];

/**
 * Texts for the model, by beginnings of paths. What people read of them too stays English: it stands in the log as the model got it.
 */
const forModel: Readonly<Record<string, string>> = {
  "src/core/mentions/attachments/": "what goes along with a message",
  "src/core/commands/": "results of commands; their reasons and notes for people are translated",
  "src/core/context/compaction/": "summaries, and what is asked for them",
  "src/core/context/": "requests",
  "src/core/changes/diagnostics/": "reports after an edit",
  "src/core/changes/edits/": "results of edits",
  "src/core/log/ledger/ledger.ts": "what people said, as pages for the model",
  "src/core/log/ledger/pages.ts": "pages for the model",
  "src/core/log/ledger/text.ts": "pages for the model",
  "src/core/mentions/": "reminders",
  "src/core/ground/ports/files.ts": "errors of files, which tools pass on",
  "src/core/log/plans/": "approved plans, and what finds them in an answer",
  "src/core/context/requests/": "observations",
  "src/core/secrets/": "shapes of secrets",
  "src/core/ground/text/": "cuts, marks and what is looked for in output",
  "src/core/tool/": "results of tools",
  "src/core/looking/": "results of tools",
  "src/core/log/snapshots.ts": "results of tools",
  "src/core/log/stamps.ts": "results of tools",
  "src/core/agent/claims/": "forms of what a model says",
  "src/core/agent/delegation/": "what models read of tasks",
  "src/core/agent/tools/": "results of tools",
  "src/core/changes/edit.ts": "results of tools",
  "src/mcp/connection/": "why a call failed",
  "src/mcp/tools/": "results of tools",
  "src/mcp/findTools.ts": "a tool",
  "src/mcp/foreignTool.ts": "a tool",
  "src/mcp/offers.ts": "resources and prompts in a request",
  "src/mcp/server.ts": "why a call failed",
  "src/models/chat/": "the wire",
  "src/models/events/": "the wire",
  "src/models/react/": "calls as text",
  "src/node/disk.ts": "errors of files, which tools pass on",
  "src/node/encoding.ts": "errors of files",
  "src/node/errno.ts": "errors of files",
  "src/node/files.ts": "errors of files",
  "src/node/ignoreFiles": "errors of searches",
  "src/node/ripgrep": "errors of searches",
  "src/node/readRegular.ts": "errors of files",
  "src/node/sandbox/": "profiles and scripts of the sandbox; why a command did not run",
  "src/node/shell/": "why a command did not run",
  "src/shared/question.ts": "answers, as the model gets them",
  "src/shared/glob.ts": "errors of searches",
  "src/shared/settings.ts": "words of the manifest, which package.nls*.json translate",
  "src/vscode/attachments/": "what goes along with a message",
  "src/vscode/code/": "results of tools",
  "src/vscode/editor/": "errors of files",
  "src/vscode/files/": "errors of files",
  "src/vscode/mentions/comments.ts": "names of languages",
  "src/vscode/panel/pages/panelPage.ts": "the page and what it runs before the panel is there",
  "src/vscode/search/": "errors of searches",
};

/** Whether a file's sentences are to be found in the translations. */
export const isTranslated = (path: string): boolean =>
  translated.some(each => path.startsWith(each)) && !Object.keys(forModel).some(each => path.startsWith(each));

/** Of a table, whose rows come and go, its beginning is named. */
export const wordsOfPrograms = (path: string, text: string) =>
  (forPrograms[path] ?? []).some(each => (each.endsWith("…") ? text.startsWith(each.slice(0, -1)) : each === text));
