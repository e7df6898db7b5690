/**
 * Skills, prompts and agents as saved on disk, in the folders that agents share (docs/context.md): the person's own, then those
 * of the workspace's folders.
 */
import { type Dirent, existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { BrokenFile, InstructionFile, InstructionFiles, RuleFile, Skills } from "../core/ground/ports";
import { errorMessage } from "../shared/errorMessage";
import { t } from "../shared/l10n";
import { madeByCommand } from "../shared/obeyedFiles";
import { PathCache } from "./disk";
import { isMissing } from "./errno";
import { type PlaceOptions, readUnasked } from "./importPlaces";
import { tilde } from "./paths";

/** In their order: of two with one name the first is taken. */
const SKILL_FOLDERS = [".strata/skills", ".agents/skills", ".claude/skills", ".github/skills"];
const PROMPT_FOLDERS = [".strata/prompts", ".github/prompts", ".claude/commands"];
const AGENT_FOLDERS = [".claude/agents", ".github/agents"];
/** Of a folder. A repository may have any number of them. */
const MAX_ENTRIES = 300;
/** of a file; the rest is left out */
const MAX_BYTES = 64 * 1024;

/** A folder to look through. `shown`: what paths in it begin with, for people */
interface SkillFolder {
  folder: string;
  shown: string;
  trust: RuleFile["trust"];
}

/** A file that was found. `name`: of its folder, or its own without the ending */
interface SkillFile extends SkillFolder {
  file: string;
  path: string;
  name: string;
}

type SkillReading = InstructionFile | { problem: string } | undefined;
type Find = (place: SkillFolder, entries: readonly Dirent[]) => SkillFile[] | Promise<SkillFile[]>;

export class NodeSkills implements Skills {
  private readonly files = new PathCache<SkillReading>(undefined, (path, error) => this.unreadable(path, error));

  constructor(private readonly options: PlaceOptions) {}

  /** The same of other folders. */
  elsewhere = (place: Partial<PlaceOptions>) => new NodeSkills({ ...this.options, ...place });

  async read(): Promise<InstructionFiles> {
    const [skills, prompts, agents] = await Promise.all([
      this.readAll(this.places(SKILL_FOLDERS, "skills"), skillFiles),
      this.readAll(this.places(PROMPT_FOLDERS, "prompts"), promptFiles),
      this.readAll(this.places(AGENT_FOLDERS, "agents"), agentFiles),
    ]);
    const broken = [...skills.broken, ...prompts.broken, ...agents.broken];
    return { skills: skills.read, prompts: prompts.read, agents: agents.read, broken };
  }

  /** The person's own first: a repository's skill must not take the place of one that they know. */
  private places(folders: readonly string[], own: string): SkillFolder[] {
    const { configDir, home = homedir(), trusted, roots } = this.options;
    const several = roots().length > 1;
    return [
      { folder: join(configDir, own), shown: tilde(join(configDir, own)), trust: "user" },
      ...folders
        .filter(folder => !folder.startsWith(".github"))
        .map((folder): SkillFolder => ({ folder: join(home, folder), shown: `~/${folder}`, trust: "user" })),
      ...(trusted() ? roots() : []).flatMap(({ path, name }) =>
        folders.map((folder): SkillFolder => {
          return { folder: join(path, folder), shown: `${several ? `${name}:` : ""}${folder}`, trust: "rules" };
        }),
      ),
    ];
  }

  private async readAll(places: readonly SkillFolder[], find: Find) {
    const found = (await Promise.all(places.map(async place => find(place, await this.entries(place.folder))))).flat();
    const files = await Promise.all(found.map(each => this.readNow(each)));
    const read = new Map<string, InstructionFile>();
    const broken: BrokenFile[] = [];
    for (const [at, file] of files.entries()) {
      if (file === undefined) continue;
      if ("problem" in file) broken.push({ path: found[at]?.path ?? "", problem: file.problem });
      else {
        // One folder is often a link to another: the same file is no second one.
        const real = `${file.folder}/${file.name}`;
        if (!read.has(real)) read.set(real, file);
      }
    }
    return { read: [...read.values()], broken };
  }

  /** Whose it is may change while its bytes do not. */
  private async readNow(found: SkillFile): Promise<SkillReading> {
    const read = await this.files.get(found.file, async stats =>
      stats.isFile() ? this.readFile(found) : { problem: t("It is no regular file.") },
    );
    if (read === undefined || "problem" in read) return read;
    const isMade = found.trust === "rules" && this.options.madeByCommand?.(found.file, read);
    return isMade ? { problem: `${madeByCommand()}.` } : read;
  }

  private async readFile(place: SkillFile): Promise<SkillReading> {
    const { name, path, trust } = place;
    const read = await readUnasked(place, this.options, MAX_BYTES);
    if (read && "problem" in read) return read;
    if (!read) return { problem: t("It is not a text file.") };
    return { name, path, trust, text: read.text, cutBytes: read.cutBytes, folder: dirname(read.ref.absolute) };
  }

  private async entries(folder: string): Promise<Dirent[]> {
    try {
      const entries = await readdir(folder, { withFileTypes: true });
      return entries.sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, MAX_ENTRIES);
    } catch (error) {
      if (!isMissing(error)) this.unreadable(folder, error);
      return [];
    }
  }

  private unreadable(path: string, error: unknown): void {
    this.options.logger.log("warning", "skills could not be read", { path, reason: errorMessage(error) });
  }
}

/** Files written on a disk that ignores case, read on one that does not. */
const SKILL_FILES = ["SKILL.md", "skill.md", "Skill.md"];

/** `NAME/SKILL.md` of each folder, linked ones too. */
function skillFiles(place: SkillFolder, entries: readonly Dirent[]): SkillFile[] {
  const folders = entries.filter(entry => entry.isDirectory() || entry.isSymbolicLink());
  return folders.map(({ name }) => {
    const file = SKILL_FILES.find(each => existsSync(join(place.folder, name, each))) ?? "SKILL.md";
    return foundIn(place, `${name}/${file}`, name);
  });
}

/** Markdown files, and those one folder below: `folder:name`. */
async function promptFiles(place: SkillFolder, entries: readonly Dirent[]): Promise<SkillFile[]> {
  const isPrompt = place.shown.endsWith(".github/prompts") ? /^(.+)\.prompt\.md$/i : /^(.+?)(?:\.prompt)?\.md$/i;
  const below = await Promise.all(
    entries
      .filter(entry => entry.isDirectory())
      .map(async ({ name: folder }) => {
        const inside = await readdir(join(place.folder, folder), { withFileTypes: true }).catch(() => []);
        return inside
          .slice(0, MAX_ENTRIES)
          .flatMap(entry => textFile(place, entry, isPrompt, `${folder}/`, `${folder}:`));
      }),
  );
  return [...entries.flatMap(entry => textFile(place, entry, isPrompt)), ...below.flat()];
}

const agentFiles: Find = (place, entries) =>
  entries.flatMap(entry => textFile(place, entry, /^(.+?)(?:\.agent)?\.md$/i));

function textFile(place: SkillFolder, entry: Dirent, named: RegExp, folder = "", prefix = ""): SkillFile[] {
  const name = named.exec(entry.name)?.[1];
  return name === undefined || entry.isDirectory() ? [] : [foundIn(place, folder + entry.name, prefix + name)];
}

const foundIn = (place: SkillFolder, below: string, name: string): SkillFile => ({
  ...place,
  file: join(place.folder, below),
  path: `${place.shown}/${below}`,
  name,
});
