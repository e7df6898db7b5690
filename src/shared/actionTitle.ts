/**
 * What a call would do, for the person who is asked. Tools write it in English, as it stands in the log and as hooks and other
 * clients get it: here it is read back.
 */
import { t } from "./l10n";
import { outcomeSaid } from "./outcomeSaid";

type TitleShape = readonly [RegExp, (...parts: string[]) => string];

const shapes: readonly TitleShape[] = [
  [/^Run `(.*)` in the background$/s, command => t("Run `{0}` in the background", command)],
  [/^Run `(.*)`$/s, command => t("Run `{0}`", command)],
  [/^Run the task (.*)$/s, task => t("Run the task {0}", task)],
  [/^Create (.*)$/s, path => t("Create {0}", path)],
  [/^Overwrite (.*)$/s, path => t("Overwrite {0}", path)],
  [/^Edit (.*)$/s, path => t("Edit {0}", path)],
  [/^Read (.*)$/s, path => t("Read {0}", path)],
  [
    /^Rename (.*) to (.*) in (.*)$/s,
    (name, other, files) => t("Rename {0} to {1} in {2}", name, other, outcomeSaid(files)),
  ],
  [/^Apply "(.*)" in (.*)$/s, (fix, files) => t('Apply "{0}" in {1}', fix, outcomeSaid(files))],
  [/^Organize imports in (.*)$/s, files => t("Organize imports in {0}", outcomeSaid(files))],
  [/^Start the MCP server (.*)$/s, server => t("Start the MCP server {0}", server)],
  [/^Call (.*)$/s, tool => t("Call {0}", tool)],
];

/** A title of another shape is said as it is. */
export function actionTitle({ title }: { title: string }): string {
  for (const [shape, say] of shapes) {
    const found = shape.exec(title);
    if (found) return say(...found.slice(1));
  }
  return title;
}
