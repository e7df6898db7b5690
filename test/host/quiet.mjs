/** What a VS Code of the tests goes without. Where tests run inside its extension host nobody looks at its page: what is painted there only takes time. */

/**
 * VS Code's own extensions that no test needs: every window loads them, a sixth of what it costs. The soak `walks` has all of
 * them, as a person has.
 */
const needless = [
  ...["copilot", "github", "microsoft-authentication", "tunnel-forwarding", "terminal-suggest", "simple-browser"],
  ...["emmet", "npm", "grunt", "gulp", "jake", "references-view", "media-preview", "extension-editing"],
  ...["css-language-features", "html-language-features", "php-language-features", "mermaid-markdown-features"],
  ...["debug-auto-launch", "debug-server-ready", "ms-vscode.js-debug", "ms-vscode.js-debug-companion"],
  "ms-vscode.vscode-js-profile-table",
];

/**
 * Which of VS Code's own extensions the tests leave out.
 * @param {{ typescript: boolean }} options typescript: whether somebody asks it about a file
 * @returns {string[] | undefined} for `startServer`
 */
export function withoutExtensions({ typescript }) {
  if (process.env.STRATA_SOAK) return undefined;
  return typescript ? needless : [...needless, "typescript-language-features"];
}

/** What VS Code shows, looks up and keeps beside the text of an editor, and asks of the net. */
const quiet = {
  "breadcrumbs.enabled": false,
  "editor.bracketPairColorization.enabled": false,
  "editor.colorDecorators": false,
  "editor.folding": false,
  "editor.hover.enabled": "off",
  "editor.inlayHints.enabled": "off",
  "editor.inlineSuggest.enabled": false,
  "editor.lightbulb.enabled": "off",
  "editor.links": false,
  "editor.matchBrackets": "never",
  "editor.occurrencesHighlight": "off",
  "editor.quickSuggestions": { other: "off", comments: "off", strings: "off" },
  "editor.selectionHighlight": false,
  "editor.stickyScroll.enabled": false,
  "editor.unicodeHighlight.ambiguousCharacters": false,
  "editor.unicodeHighlight.invisibleCharacters": false,
  // A dirty file that has no tab for a moment gets one, and asks whether odd line ends should go; in tests, VS Code says yes.
  "editor.unusualLineTerminators": "off",
  "editor.wordBasedSuggestions": "off",
  "explorer.autoReveal": false,
  "explorer.decorations.badges": false,
  "explorer.decorations.colors": false,
  "extensions.autoCheckUpdates": false,
  // Nobody checks these files: each edit of a turn would wait two seconds for problems that nobody reports.
  "strata.diagnostics.waitMs": 0,
  "typescript.disableAutomaticTypeAcquisition": true,
  "typescript.tsserver.useSyntaxServer": "never",
  "typescript.validate.enable": false,
  "javascript.validate.enable": false,
  "workbench.editor.showTabs": "none",
  "workbench.layoutControl.enabled": false,
  "workbench.localHistory.enabled": false,
  "workbench.startupEditor": "none",
  "workbench.statusBar.visible": false,
};

/** Files there are text and nothing else: the tests are about buffers, not about what TypeScript makes of each of a thousand files. */
const plain = { "files.associations": { "*.ts": "plaintext" } };

/** @param {string} suite folder of tests */
export const quietSettings = suite => ({ ...quiet, ...(suite === "editor" && plain) });
