/** A report as a list of VS Code's whose lines can be chosen. */

import * as vscode from "vscode";
import type { Report, ReportLine } from "../../core/ground/text/report";
import { defined } from "../../shared/defined";
import { inSentences } from "../../shared/format";
import { t } from "../../shared/l10n";
import { choose, inform } from "./messages";
import { withoutIcons } from "./messageText";

type ReportItem<Action> = vscode.QuickPickItem & { action?: Action };

/** Resolves when it was closed, with what was chosen. Where there is nothing, that is told instead. */
export async function chooseInReport<Action>(report: Report<Action>, placeHolder: string): Promise<Action | undefined> {
  const { title, lead = "", sections, actions = [] } = report;
  if (sections.length === 0) return void inform(lead);
  const all = actions.length > 0 ? [...sections, { title: t("More"), lines: actions }] : sections;
  return (await choose(reportItems({ sections: all }), { title, placeHolder, matchOnDetail: true }))?.action;
}

function reportItems<Action>({ sections }: Pick<Report<Action>, "sections">): ReportItem<Action>[] {
  return sections.flatMap(({ title, lines, warnings = [], ...part }) => [
    separator(part.from === undefined ? title : ""),
    ...(part.from === undefined ? [] : [lineItem({ label: title, ...part })]),
    // What can be done about a section can be done at each of its lines.
    ...lines.map(line => lineItem({ ...defined({ action: part.action }), ...line })),
    ...warnings.map(warning => ({ label: `$(error) ${withoutIcons(warning)}` })),
  ]);
}

const separator = (label: string): vscode.QuickPickItem => ({ label, kind: vscode.QuickPickItemKind.Separator });

const lineItem = <Action>({ label, from = "", detail, warnings = [], action }: ReportLine<Action>) => ({
  label: (warnings.length === 0 ? "" : "$(warning) ") + withoutIcons(label),
  description: from,
  detail: inSentences([...warnings, detail]),
  ...defined({ action }),
});
