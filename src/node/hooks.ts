/**
 * Hooks as saved on disk, where this and other agents look for them, and what the person agreed to of a workspace's: by a hash of
 * their exact text and of the files that they name, in the person's own folder.
 */
import { readdir, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import type {
  AgreedScripts,
  BrokenFile,
  HookFile,
  HookFiles,
  Hooks,
  ReadText,
  Root,
  SandboxPolicy,
} from "../core/ground/ports";
import { NO_SANDBOX } from "../core/ground/ports/shell";
import { errorMessage } from "../shared/errorMessage";
import { t } from "../shared/l10n";
import { madeByCommand } from "../shared/obeyedFiles";
import { isWithin } from "../shared/paths";
import { AgreedFiles } from "./agreedFiles";
import { PathCache } from "./disk";
import { decode } from "./encoding";
import type { OwnerOptions } from "./importPlaces";
import { JsonFile } from "./jsonFile";
import { tilde, withSlashes } from "./paths";
import { readRegular } from "./readRegular";

/** Of a workspace's folder, in their order. */
const WORKSPACE_FILES = [".claude/settings.json", ".claude/settings.local.json", ".strata/hooks.json"];
/** Every file of JSON in it, by its name. */
const WORKSPACE_FOLDER = ".github/hooks";
const MAX_FILES = 100;
const SYSTEM = process.platform === "win32" ? "windows" : process.platform === "darwin" ? "macOS" : "linux";
const MAX_BYTES = 1024 * 1024;

interface NodeHooksOptions extends OwnerOptions {
  /** What a workspace's hooks start in, and what protects their scripts; absent: there is none. */
  sandbox?: {
    aroundOthers(): Promise<SandboxPolicy>;
    guard(whose: string, scripts: readonly string[]): void;
    /** A command in it may have made the file, without a person's agreement. */
    mayHaveMade?(path: string, read: ReadText): boolean;
  };
}

const agreedSchema = z.object({ version: z.literal(1), hooks: z.record(z.string(), z.object({ path: z.string() })) });

interface HookPlace {
  path: string;
  /** for people */
  shown: string;
  /** absent: it is the person's own */
  root?: Root;
}

type HookReading = { file: HookFile } | { broken: BrokenFile } | undefined;

export class NodeHooks implements Hooks {
  private readonly files: PathCache<HookReading>;
  /** names of the files in folders */
  private readonly folders: PathCache<readonly string[]>;
  private readonly agreedFiles: AgreedFiles;
  private readonly agreed: JsonFile<z.infer<typeof agreedSchema>>;
  /** keys */
  private readonly agreedForNow = new Set<string>();
  private readonly told = new Set<string>();

  constructor(private readonly options: NodeHooksOptions) {
    const failed = (path: string, error: unknown) =>
      options.logger.log("warning", "a file of hooks could not be read", { path, error: errorMessage(error) });
    this.files = new PathCache<HookReading>(undefined, failed);
    // A folder's time changes with its entries.
    this.folders = new PathCache<readonly string[]>([], failed, true);
    this.agreedFiles = new AgreedFiles(failed);
    this.agreed = new JsonFile(join(options.configDir, "hooks", "agreed.json"), agreedSchema, {
      version: 1,
      hooks: {},
    });
  }

  async read(): Promise<HookFiles> {
    const read = async (place: HookPlace) => {
      const found = await this.readFile(place);
      // Whose it is may change while its bytes do not.
      if (!found || !("file" in found) || !place.root) return found;
      const isMade = this.options.sandbox?.mayHaveMade?.(place.path, { text: found.file.text, cutBytes: 0 });
      return isMade ? broken(place.shown, `${madeByCommand()}.`) : found;
    };
    const all = await Promise.all((await this.places()).map(read));
    return {
      files: all.flatMap(read => (read && "file" in read ? [read.file] : [])),
      broken: all.flatMap(read => (read && "broken" in read ? [read.broken] : [])),
    };
  }

  fingerprint(folder: string, commands: readonly string[]): Promise<AgreedScripts | string> {
    const roots = this.options.roots().map(({ path }) => path);
    return this.agreedFiles.of(folder, roots, commands);
  }

  guard(scripts: readonly string[]): void {
    this.options.sandbox?.guard("hooks", scripts);
  }

  async around(): Promise<SandboxPolicy> {
    return (await this.options.sandbox?.aroundOthers()) ?? NO_SANDBOX;
  }

  /** Read each time: another window may have asked. What cannot be read is asked again. */
  async hasAgreed(key: string): Promise<boolean> {
    const isKept = () => this.agreed.read().then(({ hooks }) => Object.hasOwn(hooks, key));
    return this.agreedForNow.has(key) || (await isKept().catch(() => false));
  }

  async agree(key: string, path: string): Promise<void> {
    await this.agreed.change(now => ({ ...now, hooks: { ...now.hooks, [key]: { path } } }));
  }

  /** For as long as this process is: `--trust`. */
  agreeForNow(key: string): void {
    this.agreedForNow.add(key);
  }

  async withdraw(key: string): Promise<void> {
    await this.agreed.change(({ hooks: { [key]: _, ...hooks }, ...now }) => ({ ...now, hooks }));
  }

  isNews(key: string): boolean {
    const isNew = !this.told.has(key);
    this.told.add(key);
    return isNew;
  }

  /** The person's own first. */
  private async places(): Promise<HookPlace[]> {
    const { configDir, home = homedir(), roots, trusted } = this.options;
    const own = [join(home, ".claude", "settings.json"), join(configDir, "hooks.json")];
    const several = roots().length > 1;
    const ofRoot = async (root: Root): Promise<HookPlace[]> => {
      const names = [...WORKSPACE_FILES, ...(await this.inFolder(join(root.path, WORKSPACE_FOLDER)))];
      const shown = (name: string) => (several ? `${root.name}:${name}` : name);
      return names.map(name => ({ path: join(root.path, name), shown: shown(name), root }));
    };
    const ofRoots = await Promise.all((trusted() ? roots() : []).map(ofRoot));
    // Of a home that is opened as a workspace.
    const others = ofRoots.flat().filter(({ path }) => !own.includes(path));
    return [...own.map(path => ({ path, shown: tilde(path) })), ...others];
  }

  private async inFolder(folder: string): Promise<string[]> {
    const entries = await this.folders.get(folder, () => readdir(folder));
    const names = entries.filter(name => /^[^.].*\.json$/i.test(name)).sort();
    return names.slice(0, MAX_FILES).map(name => `${WORKSPACE_FOLDER}/${name}`);
  }

  private readFile({ path, shown, root }: HookPlace): Promise<HookReading> {
    return this.files.get(path, async () => {
      try {
        const real = await realpath(path);
        if (root && !within(await realpath(root.path), real))
          return broken(shown, t("It is a link out of the workspace."));
        const bytes = await readRegular(real, MAX_BYTES);
        const decoded = bytes && (await decode(bytes));
        if (!decoded) return broken(shown, t("It is not a text file of at most 1 MB."));
        const folder = root && { folder: withSlashes(root.path) };
        return { file: { path: shown, text: decoded.text, system: SYSTEM, ...folder } };
      } catch (error) {
        return broken(shown, errorMessage(error));
      }
    });
  }
}

const broken = (path: string, problem: string): HookReading => ({ broken: { path, problem } });

const within = (folder: string, path: string) => isWithin(withSlashes(folder), withSlashes(path));
