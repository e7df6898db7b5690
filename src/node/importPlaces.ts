/**
 * Where an import of a rules file leads. A repository's rules import of their workspace alone: what lies elsewhere would go to the
 * model because a repository says so. The person's own import also from their home.
 */
import { isUtf8 } from "node:buffer";
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { FileRef, Logger, ReadText, Root, RuleFile } from "../core/ground/ports";
import { defined } from "../shared/defined";
import { secretBecause } from "../shared/envFile";
import { t } from "../shared/l10n";
import { isWithin } from "../shared/paths";
import type { UnreadImport } from "../shared/rulesFiles";
import { decode } from "./encoding";
import { fileRef, realPath, tilde, withSlashes } from "./paths";
import { readHead } from "./readRegular";

/** Whose files agents read unasked. */
export interface OwnerOptions {
  roots(): readonly Root[];
  /** the person's own settings folder: its files come first */
  configDir: string;
  /** false: only the person's own */
  trusted(): boolean;
  /** default: this user's */
  home?: string;
  logger: Logger;
}

/** Of rules, skills, prompts, agents. */
export interface PlaceOptions extends OwnerOptions {
  /** Why reading the file has to be asked about. */
  protectedBecause(file: FileRef): string | undefined;
  /** A command in the sandbox may have made it, and no person has approved it. */
  madeByCommand?(path: string, read: ReadText): boolean;
}

/**
 * The beginning of such a file. A repository's texts go to the model unasked: none that are a link out of the workspace, or to a
 * protected file. @param most bytes @param read bytes that `whole` may have @returns undefined: it is no text. Rejects as reading does
 */
export async function readUnasked(
  { file, trust }: { file: string; trust: RuleFile["trust"] },
  { roots, protectedBecause }: PlaceOptions,
  most: number,
  read = most,
): Promise<(ReadText & { ref: FileRef }) | { problem: string } | undefined> {
  const real = realpathSync.native(file);
  const ref = fileRef(roots(), real);
  if (trust === "rules" && (!ref.inside || protectedBecause(ref) !== undefined))
    return { problem: t("It is a link out of the workspace, or to a protected file.") };
  const found = await readHead(real, read, real);
  if (!found) return undefined;
  const isCut = found.size > most;
  const head = isCut ? wholeCharacters(found.bytes.subarray(0, most)) : found.bytes;
  const decoded = await decode(head);
  const whole = isCut && read > most ? await decode(wholeCharacters(found.bytes)) : undefined;
  return decoded && { text: decoded.text, cutBytes: found.size - head.length, ref, ...defined({ whole: whole?.text }) };
}

/** Without the UTF-8 character that the cut went through, if it did. */
const wholeCharacters = (bytes: Buffer): Buffer =>
  [0, 1, 2, 3].map(cut => bytes.subarray(0, bytes.length - cut)).find(isUtf8) ?? bytes;

interface ImportPlace {
  file: string;
  path: string;
  trust: RuleFile["trust"];
  isImport: true;
  /** links followed, where it is there or not */
  real: string;
}

/** @param by the file that names it */
export async function importPlace(
  named: string,
  by: { file: string; trust: RuleFile["trust"] },
  options: PlaceOptions,
): Promise<ImportPlace | UnreadImport> {
  // On Windows that is another machine, which even a look would tell who asks.
  if (/^[\\/]{2}/.test(named)) return { path: named, problem: outside() };
  const { home = homedir() } = options;
  const roots = options.roots();
  const root = roots.length > 1 ? roots.find(({ name }) => named.startsWith(`${name}:`)) : undefined;
  const file = root
    ? join(root.path, named.slice(root.name.length + 1))
    : named.startsWith("~/")
      ? join(home, named.slice(2))
      : resolve(dirname(by.file), named);
  const real = await realPath(file).catch(() => undefined);
  if (real === undefined) return { path: named, problem: t("It cannot be read.") };
  const ref = fileRef(roots, real);
  const place = { file, isImport: true as const, real: ref.absolute };
  if (ref.inside) {
    if (!options.trusted()) return { path: named, problem: t("The workspace that it lies in is not trusted.") };
    return { ...place, path: ref.path, trust: "rules" };
  }
  const problem = by.trust === "user" ? ownProblem(file, ref, { ...options, home }) : outside();
  return problem === undefined ? { ...place, path: tilde(file), trust: "user" } : { path: named, problem };
}

const outside = () =>
  t("It lies outside of the workspace, or leads there. Your own AGENTS.md can import it from your home folder.");
const PROSE = /\.(?:md|mdx|mdc|markdown|txt)$/i;

/** Why the person's own rules do not import it. */
function ownProblem(
  file: string,
  ref: FileRef,
  { configDir, home, protectedBecause }: PlaceOptions & { home: string },
): string | undefined {
  const parts = ref.absolute.toLowerCase().split("/").slice(1);
  const isOwn = isWithin(withSlashes(configDir), withSlashes(file)) && PROSE.test(ref.absolute);
  if (isOwn) return secretBecause(parts) && protectedFile();
  const isHome = [home, configDir].some(folder => isWithin(withSlashes(folder), ref.absolute));
  if (!isHome) return t("It lies outside of your home folder, or leads there.");
  // Judged by its whole path, as if it were in a workspace.
  return protectedBecause({ ...ref, relative: parts.join("/"), inside: true }) && protectedFile();
}

const protectedFile = () => t("It is a protected file.");
