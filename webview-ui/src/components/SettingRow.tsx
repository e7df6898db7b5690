/** A setting: its name, where it was set, what it means, and what changes it. */
import { useId, useState } from "react";
import { errorMessage } from "../../../src/shared/errorMessage";
import { t } from "../../../src/shared/l10n";
import type { SettingRow as SettingRowData } from "../../../src/shared/settingsProtocol";
import { Button, Icon, LinkButton } from "../controls/controls";
import { usePanel } from "../panel/hooks";
import { visibleText } from "../text/format";
import { SettingControl } from "./SettingControl";

const sources: Readonly<Record<SettingRowData["source"], () => string>> = {
  default: () => t("Default"),
  user: () => t("Set by you"),
  workspace: () => t("Set by the workspace"),
  folder: () => t("Set by the folder"),
  managed: () => t("Managed by your organisation"),
};

interface SettingRowProps {
  row: SettingRowData;
  /** something was written: values are asked for anew */
  onChanged(): void;
}

export function SettingRow({ row, onChanged }: SettingRowProps) {
  const panel = usePanel();
  const id = useId();
  const [problem, setProblem] = useState("");
  const write = async (value?: SettingRowData["value"]) => {
    const refused = await panel
      .request("setSetting", { name: row.name, ...(value === undefined ? {} : { value }) })
      .then(() => "", errorMessage);
    setProblem(refused);
    onChanged();
    return refused === "";
  };
  const isChanged = row.source !== "default" && !row.locked;
  return (
    <li className="setting" data-setting={row.name}>
      <div className="setting-head">
        <label htmlFor={id} className="setting-title">
          {row.title}
        </label>
        {row.locked && row.source === "managed" ? null : <span className="quiet">{sources[row.source]()}</span>}
        {isChanged ? (
          <LinkButton aria-label={t("Reset {0} to its default", row.title)} onClick={() => void write()}>
            {t("Reset")}
          </LinkButton>
        ) : null}
      </div>
      <Meaning text={row.meaning} />
      {row.locked ? (
        <p className="setting-locked">
          <Icon name="lock" />
          {row.locked}
        </p>
      ) : null}
      <SettingControl
        {...{ id, row, write }}
        onTouched={() => setProblem("")}
        problemId={problem === "" ? undefined : `${id}-problem`}
      />
      {problem === "" ? null : (
        <p id={`${id}-problem`} className="setting-problem" role="alert">
          <Icon name="error" />
          {visibleText(problem)}
        </p>
      )}
    </li>
  );
}

/** The first sentence; the others open. */
function Meaning({ text }: { text: string }) {
  const end = /[.:](?=\s)|。/.exec(text);
  const first = end ? text.slice(0, end.index + 1) : text;
  const rest = text.slice(first.length).trim();
  if (rest === "") return <p className="setting-meaning">{first}</p>;
  return (
    <details className="setting-meaning">
      <summary>{first}</summary>
      <p>{rest}</p>
    </details>
  );
}

export const matchesSetting = ({ title, meaning, name }: SettingRowData, words: readonly string[]): boolean => {
  const all = `${title} ${meaning} ${name}`.toLowerCase();
  return words.every(word => all.includes(word));
};

/** A row that is only told of: a rule, a skill, a file of hooks. */
export function FactLine({ label, from, detail, warnings = [], path, approved, onChanged }: FactLineProps) {
  const panel = usePanel();
  return (
    <li className="fact">
      <div className="found-words">
        {path === undefined ? (
          <span>{visibleText(label)}</span>
        ) : (
          <LinkButton onClick={() => panel.openFile(path)}>{visibleText(label)}</LinkButton>
        )}
        {from && from !== label ? <span className="quiet">{visibleText(from)}</span> : null}
        {detail ? <span className="found-detail">{visibleText(detail)}</span> : null}
        {warnings.map(warning => (
          <span key={warning} className="found-warning">
            <Icon name="warning" />
            {visibleText(warning)}
          </span>
        ))}
      </div>
      {approved === undefined ? null : (
        <Button
          primary={!approved}
          aria-label={`${approved ? t("Revoke") : t("Approve")}: ${visibleText(label)}`}
          onClick={() => void panel.ask("decideHooks", { path: label }).finally(onChanged)}
        >
          {approved ? t("Revoke") : t("Approve")}
        </Button>
      )}
    </li>
  );
}

interface FactLineProps {
  label: string;
  from?: string | undefined;
  detail?: string | undefined;
  warnings?: readonly string[] | undefined;
  path?: string | undefined;
  /** of a file of hooks that needs approval: whether it has it */
  approved?: boolean | undefined;
  onChanged(): void;
}
