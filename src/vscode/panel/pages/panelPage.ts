/**
 * The panel's page: the first picture with its styles, so that a person can type before the script is there; nothing from
 * the network, no WebAssembly. Pure.
 */

/** What of the panel a page shows: the conversation with all that belongs to it, or one thing in an editor tab. */
export type PanelPageName = "chat" | "tools";

interface PageParts {
  /** of main.css */
  styles: string;
  /** HTML of the first picture */
  firstPicture: string;
  /** address of dist/webview, as the webview serves it */
  folder: string;
  cspSource: string;
  /** fresh for each page */
  nonce: string;
  /** what was not sent before the last reload of the window, which the page reads with care; undefined: nothing */
  draft: unknown;
  name: PanelPageName;
  /** which of its parts is shown first; absent: the top */
  section?: string | undefined;
  /** how people are spoken to, as `Intl` names it; there is a translation of this name, in small letters, but for "en" */
  language: string;
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

export function panelPage({ cspSource, nonce, folder, language, ...page }: PageParts): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    `font-src ${cspSource}`,
    `img-src ${cspSource} data:`,
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style nonce="${nonce}">${page.styles.replaceAll('url("./', `url("${folder}/`).replaceAll("url(./", `url(${folder}/`)}</style>
<title>Strata</title>
</head>
<body>
<div id="root" data-page="${page.name}" data-section="${page.section ?? ""}"${page.draft ? ` data-draft="${escaped(JSON.stringify(page.draft))}"` : ""}>${page.firstPicture}</div>
<script type="module" nonce="${nonce}">${begin(`${folder}/main.js`, language === "en" ? "" : `${folder}/${translationFile(language)}`)}</script>
</body>
</html>`;
}

/** In dist/webview: a module whose default is the translation. */
const translationFile = (language: string) => `${language.toLowerCase()}.js`;

/** The file of the first picture in dist/webview. */
export const firstPictureFile = (language: string) =>
  language === "en" ? "first.html" : `first.${language.toLowerCase()}.html`;

/**
 * VS Code shows the page once it has loaded (or after 200 ms), so nothing that takes time may belong to its loading: the
 * script comes right after. Until then letters go where they will go, and Enter is remembered.
 */
function begin(script: string, translation: string): string {
  const words = translation === "" ? "{}" : `import(${JSON.stringify(translation)})`;
  return `addEventListener("load", async () => {
  const [panel, words] = await Promise.all([import(${JSON.stringify(script)}), ${words}]);
  panel.start(words.default);
});
const focus = () => {
  if (document.activeElement === document.body) document.querySelector("textarea")?.focus({ preventScroll: true });
};
if (document.hasFocus()) focus();
addEventListener("focus", focus, { once: true });
addEventListener("keydown", event => {
  const { key, altKey, shiftKey, isComposing, target } = event;
  if (key !== "Enter" || shiftKey || isComposing || target.tagName !== "TEXTAREA") return;
  if (document.getElementById("root").dataset.ready) return;
  event.preventDefault();
  target.dataset.enter = altKey ? "alt" : "plain";
}, true);`;
}
