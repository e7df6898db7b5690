/** What changes a setting. What was chosen or typed is shown at once, and stays until the host tells what holds now. */
import { type ChangeEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { t } from "../../../src/shared/l10n";
import type { SettingRow } from "../../../src/shared/settingsProtocol";
import { usePanel } from "../panel/hooks";

type Value = SettingRow["value"];

interface SettingControlProps {
  id: string;
  row: SettingRow;
  /** @param value undefined: as it is by default @returns false: refused */
  write(value?: Value): Promise<boolean>;
  /** what was refused is being mended */
  onTouched(): void;
  /** the sentence about what was refused; undefined: there is none */
  problemId: string | undefined;
}

export function SettingControl(props: SettingControlProps) {
  const { id, row } = props;
  const panel = usePanel();
  if (row.kind === "switch") return <Switch {...props} />;
  if (row.kind === "choice") return <Choice {...props} />;
  if (row.kind !== "file") return <Field {...props} />;
  const words = t("Edit in settings.json");
  return (
    <button
      {...{ id, type: "button", className: "button", "aria-label": `${row.title}: ${words}` }}
      onClick={() => void panel.ask("editSetting", { name: row.name })}
    >
      {words}
    </button>
  );
}

type DraftState = "changed" | "sent" | "written" | "refused";

/** What the person chose or typed: theirs until it was written and the rows came anew, or they leave what was refused. */
function useSettingDraft<T>({ row, write, onTouched }: SettingControlProps) {
  const [draft, setDraft] = useState<T>();
  const state = useRef<DraftState>("written");
  const sent = useRef(0);
  // What was written may hold by now, whatever the row says.
  const isAhead = useRef(false);
  const drop = () => {
    state.current = "written";
    setDraft(undefined);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer of the host has rows of its own
  useEffect(() => {
    if (state.current !== "written") return;
    isAhead.current = false;
    setDraft(undefined);
  }, [row]);
  return {
    draft,
    drop,
    change(value: T) {
      state.current = "changed";
      setDraft(value);
      onTouched();
    },
    /** Writes what was changed since it was written last. @param isSame it holds already @param staysHere what is refused stays, to be mended */
    async send(value: Value | undefined, isSame = false, staysHere: () => boolean = () => false) {
      if (state.current !== "changed") return;
      if (isSame && !isAhead.current) return drop();
      isAhead.current = true;
      state.current = "sent";
      const mine = ++sent.current;
      const isWritten = await write(value);
      // Somebody went on changing it meanwhile.
      if (mine !== sent.current || state.current !== "sent") return;
      if (isWritten) state.current = "written";
      else if (staysHere()) state.current = "refused";
      else drop();
    },
    /** Gives up what was refused. */
    leave() {
      if (state.current === "refused") drop();
    },
  };
}

function Switch(props: SettingControlProps) {
  const { id, row, problemId } = props;
  const { draft = row.value === true, change, send } = useSettingDraft<boolean>(props);
  return (
    <input
      {...{ id, type: "checkbox", disabled: row.locked !== undefined, checked: draft, "aria-describedby": problemId }}
      onChange={event => {
        change(event.target.checked);
        void send(event.target.checked);
      }}
    />
  );
}

/** Arrow keys pass over values that nobody means, be it "off" of a sandbox: one is written after such a pause, ms. */
const CHOSEN_MS = 1_000;

function Choice(props: SettingControlProps) {
  const { id, row, problemId } = props;
  const { choices = [], locked } = row;
  const { draft, drop, change, send } = useSettingDraft<string>(props);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  const chosen = useRef<string>(undefined);
  const shown = draft ?? String(row.value);
  const forget = () => {
    clearTimeout(pause.current);
    chosen.current = undefined;
  };
  const commit = () => {
    const value = chosen.current;
    forget();
    if (value !== undefined) void send(value, value === String(row.value));
  };
  const newest = useRef(commit);
  newest.current = commit;
  // Whoever goes to another page meant what stands there.
  useEffect(() => () => newest.current(), []);
  const words = choices.find(({ value }) => value === shown)?.words;
  return (
    <>
      <select
        {...{ id, disabled: locked !== undefined, value: shown, onBlur: commit, "aria-describedby": problemId }}
        onChange={event => {
          clearTimeout(pause.current);
          chosen.current = event.target.value;
          change(event.target.value);
          pause.current = setTimeout(() => newest.current(), CHOSEN_MS);
        }}
        onKeyDown={event => {
          if (event.key === "Enter") commit();
          if (event.key !== "Escape" || chosen.current === undefined) return;
          event.preventDefault();
          forget();
          drop();
        }}
      >
        {choices.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      {words ? <p className="quiet">{words}</p> : null}
    </>
  );
}

const textOf = (value: Value): string =>
  Array.isArray(value) ? value.join("\n") : value === null ? "" : String(value);

/** undefined: as it is by default, which an empty number is */
function writtenAs(text: string, { kind }: SettingRow): Value | undefined {
  if (kind === "list")
    return text
      .split("\n")
      .map(line => line.trim())
      .filter(Boolean);
  if (kind === "number") return text.trim() === "" ? undefined : Number(text);
  return text.trim();
}

function placeholderOf({ kind, byDefault }: SettingRow): string {
  if (kind === "list") return t("One in each line");
  if (kind !== "number" || byDefault === undefined) return "";
  return byDefault === null ? t("Automatic") : String(byDefault);
}

/** Written when the person goes on, or with Enter; Esc gives back what holds. */
function Field(props: SettingControlProps) {
  const { id, row, onTouched, problemId } = props;
  const { draft, drop, change, send, leave } = useSettingDraft<string>(props);
  const place = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const known = textOf(row.value);
  const text = draft ?? known;
  const commit = () => {
    const value = writtenAs(text, row);
    const isSame = value === undefined ? row.source === "default" : textOf(value) === known;
    void send(value, isSame, () => place.current === document.activeElement);
  };
  const shared = {
    ...{ id, ref: place, value: text, disabled: row.locked !== undefined, spellCheck: false },
    ...{ placeholder: placeholderOf(row), "aria-errormessage": problemId },
    "aria-invalid": problemId !== undefined && draft !== undefined,
    onBlur() {
      commit();
      leave();
    },
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => change(event.target.value),
    onKeyDown(event: KeyboardEvent) {
      if (event.nativeEvent.isComposing) return;
      if (event.key === "Escape" && draft !== undefined) {
        drop();
        onTouched();
        event.preventDefault();
      } else if (event.key === "Enter" && row.kind !== "list") commit();
    },
  };
  if (row.kind === "list") return <textarea {...shared} rows={Math.min(8, text.split("\n").length + 1)} />;
  const limits = row.kind === "number" ? { type: "number", min: row.min, max: row.max } : { type: "text" };
  return <input {...shared} {...limits} />;
}
