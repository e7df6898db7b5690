/** A setting: its name, where it was set, what it means, and what changes it. */
import { type ChangeEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { t } from "../../../src/shared/l10n";
import type { SettingRow as SettingRowData } from "../../../src/shared/settingsProtocol";
import { Icon, LinkButton } from "../controls/controls";
import { usePanel } from "../panel/hooks";
import { visibleText } from "../text/format";

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
  const set = (value?: SettingRowData["value"]) =>
    void panel.ask("setSetting", { name: row.name, ...(value === undefined ? {} : { value }) }).finally(onChanged);
  const isChanged = row.source !== "default" && !row.locked;
  return (
    <li className="setting" data-setting={row.name}>
      <div className="setting-head">
        <label htmlFor={id} className="setting-title">
          {row.title}
        </label>
        <span className="quiet">{sources[row.source]()}</span>
        {isChanged ? (
          <LinkButton aria-label={t("Reset {0} to its default", row.title)} onClick={() => set()}>
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
      <Control id={id} row={row} set={set} />
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

interface ControlProps {
  id: string;
  row: SettingRowData;
  set(value: SettingRowData["value"]): void;
}

function Control({ id, row, set }: ControlProps) {
  const panel = usePanel();
  const disabled = row.locked !== undefined;
  if (row.kind === "switch")
    return (
      <input
        {...{ id, disabled, type: "checkbox", checked: row.value === true }}
        onChange={event => set(event.target.checked)}
      />
    );
  if (row.kind === "choice") return <Choice id={id} row={row} set={set} />;
  if (row.kind === "file")
    return (
      <button
        type="button"
        id={id}
        className="button"
        aria-label={`${row.title}: ${t("Edit in settings.json")}`}
        onClick={() => void panel.ask("editSetting", { name: row.name })}
      >
        {t("Edit in settings.json")}
      </button>
    );
  return <Field id={id} row={row} set={set} />;
}

function Choice({ id, row: { value, choices = [], locked }, set }: ControlProps) {
  const words = choices.find(each => each.value === value)?.words;
  return (
    <>
      <select id={id} disabled={locked !== undefined} value={String(value)} onChange={event => set(event.target.value)}>
        {choices.map(each => (
          <option key={each.value} value={each.value}>
            {each.label}
          </option>
        ))}
      </select>
      {words ? <p className="quiet">{words}</p> : null}
    </>
  );
}

const textOf = (value: SettingRowData["value"]): string =>
  Array.isArray(value) ? value.join("\n") : value === null ? "" : String(value);

function writtenAs(text: string, { kind }: SettingRowData): SettingRowData["value"] {
  if (kind === "list")
    return text
      .split("\n")
      .map(line => line.trim())
      .filter(Boolean);
  if (kind === "number") return text.trim() === "" ? null : Number(text);
  return text.trim();
}

/** Written when the person goes on, or with Enter; Esc gives back what stood there. */
function Field({ id, row, set }: ControlProps) {
  const known = textOf(row.value);
  const [text, setText] = useState(known);
  // What was written with Enter is not written again when the person goes on.
  const written = useRef(known);
  useEffect(() => {
    written.current = known;
    setText(known);
  }, [known]);
  const commit = () => {
    const value = writtenAs(text, row);
    if (textOf(value) === written.current) return;
    written.current = textOf(value);
    set(value);
  };
  const shared = {
    ...{ id, value: text, disabled: row.locked !== undefined, spellCheck: false, onBlur: commit },
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => setText(event.target.value),
    onKeyDown(event: KeyboardEvent) {
      if (event.nativeEvent.isComposing) return;
      if (event.key === "Escape" && text !== known) {
        setText(known);
        event.preventDefault();
      } else if (event.key === "Enter" && row.kind !== "list") commit();
    },
  };
  if (row.kind === "list")
    return <textarea {...shared} rows={Math.min(8, text.split("\n").length + 1)} placeholder={t("One in each line")} />;
  const limits = row.kind === "number" ? { type: "number", min: row.min, max: row.max } : { type: "text" };
  return <input {...shared} {...limits} placeholder={row.kind === "number" ? t("Automatic") : ""} />;
}

export const matchesSetting = ({ title, meaning, name }: SettingRowData, words: readonly string[]): boolean => {
  const all = `${title} ${meaning} ${name}`.toLowerCase();
  return words.every(word => all.includes(word));
};

/** A row that is only told of: a rule, a skill, a file of hooks. */
export function FactLine({ label, from, detail, warnings = [], path }: FactLineProps) {
  const panel = usePanel();
  return (
    <li className="fact">
      {path === undefined ? (
        <span>{visibleText(label)}</span>
      ) : (
        <LinkButton onClick={() => panel.openFile(path)}>{visibleText(label)}</LinkButton>
      )}
      {from && from !== label ? <span className="quiet"> {visibleText(from)}</span> : null}
      {detail ? <p className="quiet">{visibleText(detail)}</p> : null}
      {warnings.map(warning => (
        <p key={warning} className="found-warning">
          <Icon name="warning" />
          {visibleText(warning)}
        </p>
      ))}
    </li>
  );
}

interface FactLineProps {
  label: string;
  from?: string | undefined;
  detail?: string | undefined;
  warnings?: readonly string[] | undefined;
  path?: string | undefined;
}
