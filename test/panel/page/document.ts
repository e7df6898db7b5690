/** The panel's document as the extension serves it, between what VS Code's webview puts around it. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../scripts/lib/install.mjs";
import { firstPictureFile, type PanelPageName, panelPage } from "../../../src/vscode/panel/pages/panelPage";

/** VS Code's own style sheet for webviews (1.139), which it puts in front of the document's head. */
const defaultStyles = `
@layer vscode-default {
  html { scrollbar-color: var(--vscode-scrollbarSlider-background) var(--vscode-editor-background); }
  body {
    overscroll-behavior-x: none; background-color: transparent; color: var(--vscode-editor-foreground);
    font-family: var(--vscode-font-family); font-weight: var(--vscode-font-weight); font-size: var(--vscode-font-size);
    margin: 0; padding: 0 20px;
  }
  img, video { max-width: 100%; max-height: 100%; }
  a, a code { color: var(--vscode-textLink-foreground); }
  p > a { text-decoration: var(--text-link-decoration); }
  a:hover { color: var(--vscode-textLink-activeForeground); }
  a:focus, input:focus, select:focus, textarea:focus { outline: 1px solid -webkit-focus-ring-color; outline-offset: -1px; }
  code {
    font-family: var(--monaco-monospace-font); color: var(--vscode-textPreformat-foreground);
    background-color: var(--vscode-textPreformat-background); padding: 1px 3px; border-radius: 4px;
  }
  pre code { padding: 0; }
  blockquote { background: var(--vscode-textBlockQuote-background); border-color: var(--vscode-textBlockQuote-border); }
  kbd {
    background-color: var(--vscode-keybindingLabel-background); color: var(--vscode-keybindingLabel-foreground);
    border-style: solid; border-width: 1px; border-radius: 3px; border-color: var(--vscode-keybindingLabel-border);
    border-bottom-color: var(--vscode-keybindingLabel-bottomBorder);
    box-shadow: inset 0 -1px 0 var(--vscode-widget-shadow); vertical-align: middle; padding: 1px 3px;
  }
  ::-webkit-scrollbar { width: 10px; height: 10px; }
  ::-webkit-scrollbar-corner { background-color: var(--vscode-editor-background); }
  ::-webkit-scrollbar-thumb { background-color: var(--vscode-scrollbarSlider-background); }
  ::-webkit-scrollbar-thumb:hover { background-color: var(--vscode-scrollbarSlider-hoverBackground); }
  ::-webkit-scrollbar-thumb:active { background-color: var(--vscode-scrollbarSlider-activeBackground); }
}`;

/** Where the page pretends to be; nothing of it leaves the machine. */
export const ORIGIN = "https://panel.test";

/** @param options JSON for the fake host @param name which page of the panel @param language of its sentences */
export function panelDocument(options: string, name: PanelPageName = "chat", language = "en"): string {
  const nonce = "dGVzdC1ub25jZQ";
  const read = (name: string) => readFileSync(join(root, "dist/webview", name), "utf8");
  const page = panelPage({
    ...{ styles: read("main.css"), firstPicture: name === "chat" ? read(firstPictureFile(language)) : "" },
    ...{ folder: `${ORIGIN}/dist`, cspSource: ORIGIN, nonce, draft: undefined, name, language },
  });
  const json = options.replaceAll("<", "\\u003c");
  const fakeHost = `<script nonce="${nonce}">window.fakeHostOptions = ${json};</script>
<script nonce="${nonce}" src="${ORIGIN}/fakeHost.js"></script>
`;
  return page
    .replace("<head>", () => `<head>\n<style id="_defaultStyles">${defaultStyles}</style>`)
    .replace("<style nonce", () => `${fakeHost}<style nonce`);
}
