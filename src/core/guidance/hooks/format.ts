/** Hooks as their files have them: the format that other agents use too, read with what is wrong in it. Pure. */

import { type HookEvent, hookEvents } from "../../../shared/hookEvents";
import { isObject } from "../../../shared/isObject";
import { t } from "../../../shared/l10n";
import { slippedField } from "../../../shared/nearestNames";
import type { HookFile } from "../../ground/ports";
import { oneLine } from "../../ground/text/format";
import { parseSettingsFile } from "../../ground/text/json";
import { copilotEvent } from "./copilot";
import { type Hook, type HookEntries, MAX_NOTES, readEntries } from "./entry";

/** What one file has. */
export interface HookSet {
  file: HookFile;
  hooks: readonly Hook[];
  /** what of it does not run although it should, and why: sentences */
  problems: readonly string[];
  /** what does nothing here, moments and fields of other agents above all: sentences */
  notes: readonly string[];
  /** the file switches every hook off: `disableAllHooks` */
  switchesOff: boolean;
  /** all that stands under `hooks`, byte for byte as it counts */
  exact: string;
  /** its commands as a POSIX shell reads them */
  texts: readonly string[];
}

/** of a file */
const MAX_HOOKS = 200;

export function readHooks(file: HookFile): HookSet {
  const nothing = { file, hooks: [], notes: [], switchesOff: false, exact: "", texts: [] };
  const content = parseSettingsFile(file.text);
  const value = content.problem === undefined ? (content.value ?? {}) : undefined;
  const given = isObject(value) ? (value.hooks ?? {}) : undefined;
  if (!isObject(value) || !isObject(given)) {
    const why = content.problem ?? t('it is not JSON with an object "hooks" in it');
    return { ...nothing, problems: [t("{0} cannot be read: {1}.", file.path, why)] };
  }
  const outside = "hooks" in value ? undefined : Object.keys(value).find(name => eventOf(name));
  if (outside !== undefined)
    return {
      ...nothing,
      problems: [t('"{0}" in {1} is ignored because it is not under "hooks".', outside, file.path)],
    };
  const switchesOff = value.disableAllHooks === true;
  const found: HookEntries = { hooks: [], texts: [], problems: [], notes: [] };
  for (const [written, groups] of Object.entries(given)) {
    const event = eventOf(written);
    if (!event) {
      if (found.notes.length < MAX_NOTES) found.notes.push(noMoment(written));
      continue;
    }
    for (const group of Array.isArray(groups) ? groups : [groups])
      if (group !== null) readEntries({ written, event, file }, group, found);
  }
  const { hooks, texts, problems, notes } = found;
  if (hooks.length > MAX_HOOKS) problems.push(t("Only the first {0} hooks in the file run.", MAX_HOOKS));
  if (value.version !== undefined && value.version !== 1 && file.path.includes(".github"))
    notes.push(t("Its version is {0}, but it is read as version 1.", oneLine(JSON.stringify(value.version), 40)));
  return { file, hooks: hooks.slice(0, MAX_HOOKS), notes, problems, switchesOff, exact: JSON.stringify(given), texts };
}

/** As it is written here or by Copilot, whatever its capitals. */
const eventOf = (written: string): HookEvent | undefined =>
  copilotEvent(written) ?? hookEvents.find(event => event.toLowerCase() === written.toLowerCase());

function noMoment(written: string): string {
  const meant = slippedField(written, hookEvents);
  const shown = oneLine(written, 60);
  return meant === undefined
    ? t('"{0}" is not a hook event here.', shown)
    : t('"{0}" is not a hook event here. Did you mean {1}?', shown, meant);
}
