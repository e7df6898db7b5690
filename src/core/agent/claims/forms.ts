/** Expressions of forms.json, English and Chinese: `<NAME>` is the part of that name. Each is linear; those of `every` find all of a text. */
import table from "./forms.json";

const parts: Readonly<Record<string, string>> = table.parts;
const whole = (source: string): string => source.replace(/<([A-Z_]+)>/g, (_, name) => whole(parts[name] ?? ""));
const each = <Of extends object>(of: Of, flags: string) =>
  Object.fromEntries(Object.entries(of).map(([name, source]) => [name, new RegExp(whole(source), flags)])) as Record<
    keyof Of,
    RegExp
  >;

export const forms = each(table.said, "i");
export const every = each(table.every, "gi");
/** by kind of check: its names in sentences, its programs */
export const named = each(table.names, "i");
export const runners = each(table.kinds, "");
export const programs = each(table.commands, "");
/** programs, and the files that they look at */
export const languages = table.languages.map(
  ([program = "", files = ""]) => [new RegExp(program), new RegExp(files, "i")] as const,
);
