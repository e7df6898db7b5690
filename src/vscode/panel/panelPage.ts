/**
 * The panel's page: the first picture with its styles, so that a person can type before the script is there; nothing from
 * the network, no WebAssembly. Pure.
 */

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
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

export function panelPage({ styles, firstPicture, folder, cspSource, nonce, draft }: PageParts): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    `font-src ${cspSource}`,
    `img-src ${cspSource} data:`,
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style nonce="${nonce}">${styles.replaceAll('url("./', `url("${folder}/`).replaceAll("url(./", `url(${folder}/`)}</style>
<title>Strata</title>
</head>
<body>
<div id="root"${draft ? ` data-draft="${escaped(JSON.stringify(draft))}"` : ""}>${firstPicture}</div>
<script type="module" nonce="${nonce}">${begin(`${folder}/main.js`)}</script>
</body>
</html>`;
}

/**
 * VS Code shows the page once it has loaded (or after 200 ms), so nothing that takes time may belong to its loading: the
 * script comes right after. Until then letters go where they will go, and Enter is remembered.
 */
function begin(script: string): string {
  return `addEventListener("load", () => import(${JSON.stringify(script)}));
const focus = () => {
  if (document.activeElement === document.body) document.querySelector("textarea").focus({ preventScroll: true });
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
