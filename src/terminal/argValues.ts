/** The words of the command line that stand for values. */

import { parseLines } from "../core/ground/text/format";
import { namesText } from "../shared/format";
import { isObject, parseJson } from "../shared/isObject";
import { t } from "../shared/l10n";
import type { Json } from "../shared/messages";
import type { Settings } from "../shared/settings";
import { modelProviders, type PermissionMode, permissionModes } from "../shared/settingValues";

/** The command line is wrong; the message says how. Exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export const usageText = ({ message }: UsageError): string => t("{0}\nstrata --help says more.", message);

/** `last` may be infinite. @throws UsageError */
export function lineRange(text: string): { first: number; last: number } {
  const range = parseLines(text);
  if (!range) throw new UsageError(t('--lines takes 10-40, 10 or 10-, not "{0}".', text));
  return range;
}

/** @throws UsageError */
export function parseProvider(text: string): Settings["model.provider"] {
  const provider = modelProviders.find(each => each === text);
  if (!provider || provider === "vscode")
    throw new UsageError(
      t('--provider is one of {0}, not "{1}".', namesText(modelProviders.filter(each => each !== "vscode")), text),
    );
  return provider;
}

/** @throws UsageError */
export function parseInput(json: string): Record<string, Json> {
  const input = parseJson(json);
  if (isObject(input)) return input as Record<string, Json>;
  throw new UsageError(t('The tool\'s input has to be a JSON object, as \'{"a":1}\', not "{0}".', json));
}

/** @throws UsageError */
export function parseMode(text: string): PermissionMode {
  const mode = permissionModes.find(each => each === text);
  if (!mode) throw new UsageError(t('--mode is one of plan, ask, edits, auto, not "{0}".', text));
  return mode;
}

/** @throws UsageError */
export function parseCount(text: string, option: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new UsageError(t('{0} takes a whole number from 1, not "{1}".', option, text));
  return Number(text);
}

/** @throws UsageError */
export function parseRequest(text: string): number {
  if (!/^-?[1-9]\d{0,8}$/.test(text)) {
    throw new UsageError(t('--request takes a number: 1 is the first, -1 the last, not "{0}".', text));
  }
  return Number(text);
}
