/** Which settings a file has, and names in it that none has. */
import { isObject } from "./isObject";
import { t } from "./l10n";
import { editDistance } from "./nearestNames";
import { type SettingName, settingNames } from "./settings";

/**
 * What a settings file says of Strata, by the settings' names without `strata.`: a name may be written nested, as VS Code reads it
 * too. `unknown`: sentences about names that no setting has.
 * @param written keys as they stand there, of others too
 */
export function settingsIn(written: Readonly<Record<string, unknown>>, place: string) {
  const values: Record<string, unknown> = {};
  const unknown: string[] = [];
  const take = (name: string, value: unknown) => {
    if (settingNames.some(known => known === name)) values[name] = value;
    else if (isObject(value) && (isGroup(name) || nearestSetting(name) === undefined) && name.length < MAX_NAME)
      for (const [part, inside] of Object.entries(value)) take(`${name}.${part}`, inside);
    else if (unknown.length < MAX_UNKNOWN) unknown.push(noSetting(name.replace(/\s+/g, " ").slice(0, MAX_NAME), place));
  };
  const nested = isObject(written.strata) ? Object.entries(written.strata) : [];
  for (const [key, value] of Object.entries(written))
    if (key.startsWith("strata.")) take(key.slice("strata.".length), value);
  for (const [name, value] of nested) take(name, value);
  return { values, unknown };
}

const MAX_NAME = 100;
/** Of one file; each is a message. */
const MAX_UNKNOWN = 5;

const isGroup = (name: string) => settingNames.some(known => known.startsWith(`${name}.`));

function noSetting(name: string, place: string): string {
  const nearest = nearestSetting(name);
  return nearest === undefined
    ? t("strata.{0} in {1} has no effect: there is no such setting.", name, place)
    : t("strata.{0} in {1} has no effect: there is no such setting. Did you mean strata.{2}?", name, place, nearest);
}

/** By its letters, else by its first words or its last alone. */
function nearestSetting(name: string): SettingName | undefined {
  const [written, most] = [name.toLowerCase(), Math.max(2, Math.floor(name.length / 5))];
  const slips = settingNames.flatMap(known => {
    const distance = editDistance(written, known.toLowerCase(), most);
    return distance === undefined ? [] : [{ known, distance }];
  });
  const [first] = slips.toSorted((one, other) => one.distance - other.distance);
  const beginning = settingNames.find(known => known.startsWith(`${name}.`));
  return first?.known ?? beginning ?? settingNames.find(known => known.toLowerCase().endsWith(`.${written}`));
}
