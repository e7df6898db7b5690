/** A panel on a workspace whose files can be mentioned, and what a person does with them. */
import { openPanel, type PanelOptions, type PanelPage } from "./panel";

export const files = [
  "src/invoice.ts",
  "src/",
  "src/core/",
  "src/core/index.ts",
  "test/invoice.test.ts",
  "my notes.md",
  "文档/说明.md",
];
export const open = (options: PanelOptions = {}) => openPanel({ files, ...options });

export const value = ({ composer }: PanelPage) => composer.inputValue();
export const options = ({ page }: PanelPage) => page.getByRole("listbox").getByRole("option");
export const choice = ({ page }: PanelPage) => page.locator('[role=option][aria-selected="true"]');
export const chips = ({ page }: PanelPage) => page.getByRole("list", { name: "Attached to this message" });

/** Types into the box, letter by letter, and waits until the menu has the answer to the last one. */
export async function type(panel: PanelPage, text: string) {
  const seen = (await panel.asked("completeMention")).length;
  await panel.composer.focus();
  await panel.page.keyboard.type(text);
  await panel.waitForRequest("completeMention", seen + text.slice(text.indexOf("@")).length - 1);
  await panel.settle();
  await panel.settle();
}

/** Files that another program drags onto the composer. */
export const drag = ({ page }: PanelPage, event: "dragover" | "drop", data: Record<string, string>) =>
  page.evaluate(
    ([name, given]) => {
      const dataTransfer = new DataTransfer();
      for (const [type, text] of Object.entries(given)) dataTransfer.setData(type, text);
      const init = { dataTransfer, bubbles: true, cancelable: true };
      return !document.querySelector("#composer-text")?.dispatchEvent(new DragEvent(name, init));
    },
    [event, data] as const,
  );

export async function paste({ page, composer }: PanelPage, text: string) {
  await composer.focus();
  await page.evaluate(words => navigator.clipboard.writeText(words), text);
  await page.keyboard.press("ControlOrMeta+V");
}

export const has = ({ page }: PanelPage, text: string) =>
  page.waitForFunction(wanted => document.querySelector("textarea")?.value === wanted, text);
