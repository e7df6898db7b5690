/** The sandbox of this machine: found out once whether it works, then put around each command (docs/tools.md). */
import { existsSync, mkdirSync, realpathSync, rmdirSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ReadText, Root, Sandbox, SandboxAccess, SandboxPolicy, SandboxState } from "../../core/ground/ports";
import { missingWords, NO_SANDBOX } from "../../core/ground/ports/shell";
import { defined } from "../../shared/defined";
import { t } from "../../shared/l10n";
import { obeyedByTask } from "../../shared/obeyedFiles";
import { isWithin } from "../../shared/paths";
import { unlessFails } from "../errno";
import { realOrSame } from "../paths";
import { findProgram } from "../programs";
import { nodeClock } from "../system";
import { bubblewrapArguments, findBubblewrap, watched } from "./bubblewrap";
import { ANY_HOST, bridged, Gates, PROXY_SOCKET, proxyVariables } from "./gate";
import { type GitSays, NO_GIT, WorkspaceGit } from "./gitSays";
import { closest, isInSight } from "./mounts";
import { ObeyedRuns, UndecidedFiles } from "./obeyedRuns";
import { OBEYED_FOLDERS } from "./places";
import { PrivateFolders } from "./privateFolders";
import { notAllowed, notInstalled, tryOut } from "./probe";
import { SEATBELT, seatbeltArguments } from "./seatbelt";
import { systemCallFilter } from "./syscalls";
import { type View, viewFor } from "./view";
import { unwatched, WatchedCommands } from "./watchedCommands";
import { WorkspaceScan } from "./workspaceScan";

export interface NodeSandboxOptions {
  roots(): readonly Pick<Root, "path">[];
  /** of Strata's settings and storage */
  ownFolders: readonly string[];
  /** a folder of Strata's for what stays: caches of builds */
  keep: string;
  /** What rules forbid to read and to edit: paths as a rule writes them. */
  forbidden?(): { read: readonly string[]; write: readonly string[] };
  /** `Rules.imported`; absent: none */
  imported?(): ReadonlySet<string>;
  /** a folder for all processes: files left by tasks that wait for an approval; absent: they are forgotten */
  undecided?: string;
  /** `strata.bash.read`: what commands see of people's homes beside what tools need. */
  readable?(): readonly string[];
  /** `strata.bash.network`, for servers. */
  hosts?(): readonly string[];
  /** `strata.bash.sandbox` is off: servers and hooks of the workspace have none around them either. */
  isOff?(): boolean;
  /** this process's; and what tests put in their place */
  env?: NodeJS.ProcessEnv;
  home?: string;
  tmp?: string;
  platform?: NodeJS.Platform;
  bubblewrap?: string;
  maxFolders?: number;
  /** Is told what tasks left that is obeyed. */
  warn?(text: string): void;
}

/** What would be started without it. */
type ProgramLaunch = { program: string; args: string[]; env: Record<string, string> };

type ConfinedPlace = { cwd: string; env: NodeJS.ProcessEnv; long?: boolean; serves?: boolean };

interface ViewedRun {
  access: SandboxAccess;
  roots?: readonly string[];
  git?: GitSays;
  long?: boolean;
  serves?: boolean;
  bridged?: boolean;
  keeps?: readonly string[];
}

type SandboxRoute = { program: string; nested: boolean; filtered: boolean };

export class NodeSandbox implements Sandbox {
  private readonly scan: WorkspaceScan;
  private readonly aroundScan = new WorkspaceScan();
  private readonly git = new WorkspaceGit();
  private readonly folders: PrivateFolders;
  /** Empty folders in the place of what a task in the background must not make: a person may fill them meanwhile. */
  private readonly placeholders = new Set<string>();
  private readonly runs: ObeyedRuns;
  private readonly commands: WatchedCommands;
  private readonly gates: Gates;
  /** by whose they are */
  private readonly guarded = new Map<string, readonly string[]>();
  private readonly platform: NodeJS.Platform;
  private probed: Promise<{ state: SandboxState; way?: SandboxRoute }> | undefined;

  constructor(private readonly options: NodeSandboxOptions) {
    this.platform = options.platform ?? process.platform;
    this.scan = new WorkspaceScan(options.maxFolders);
    this.folders = new PrivateFolders({ tmp: options.tmp ?? tmpdir(), keep: options.keep });
    const { scan, folders } = this;
    const roots = () => this.roots;
    const tell = (paths: readonly string[]) => options.warn?.(obeyedByTask(paths));
    this.runs = new ObeyedRuns({
      ...{ now: nodeClock.now, roots, tell, undecided: new UndecidedFiles(options.undecided) },
      imported: () => options.imported?.() ?? new Set(),
      obeyed: of => scan.look(of, true).guarded,
    });
    this.commands = new WatchedCommands({ scan, folders, roots, tell, runs: this.runs });
    this.gates = new Gates(() => this.folders.of("gate"));
  }

  /** The same around other folders. */
  elsewhere = (place: Partial<NodeSandboxOptions>) => new NodeSandbox({ ...this.options, ...place });

  async state(): Promise<SandboxState> {
    return (await this.find()).state;
  }

  /** The policy for hooks and servers of the workspace. */
  async aroundOthers(): Promise<SandboxPolicy> {
    // A home as the workspace is no reason to start them outside: `confine` throws then.
    const isThere = this.options.isOff?.() !== true && (await this.probeOnce()).state.kind === "ready";
    return isThere ? { kind: "sandbox", access: "write", network: this.options.hosts?.() ?? [] } : NO_SANDBOX;
  }

  /** Around a server: it changes nothing of the workspace and reaches all hosts that are not near. @returns `files`: what it gets as descriptors from 4 on @throws as `confine` does */
  async serve<Server extends { command: string; args: string[]; env: Record<string, string>; cwd: string }>(
    server: Server,
  ): Promise<Server & { files: readonly string[] }> {
    const launch = { program: server.command, args: server.args, env: server.env };
    const network = [...(this.options.hosts?.() ?? []), ANY_HOST];
    const place = { cwd: server.cwd, env: {}, serves: true };
    const confined = await this.confine({ kind: "sandbox", access: "read", network }, launch, place);
    const { program: command, args } = confined.launch;
    const env = confined.env as Record<string, string>;
    return { ...server, command, args, env, cwd: confined.cwd, files: confined.confinement.files };
  }

  /** @throws an error in words for people where the sandbox does not work */
  async confine<Launch extends ProgramLaunch>(
    policy: Extract<SandboxPolicy, { kind: "sandbox" }>,
    launch: Launch,
    { cwd, env, long = false, serves = false }: ConfinedPlace,
  ) {
    const { state, way } = await this.find();
    if (state.kind === "missing" || !way) throw new Error(state.kind === "missing" ? missingWords(state) : "");
    const real = realpathSync(cwd);
    const writes = policy.access === "write";
    const gate = (writes || serves) && policy.network.length > 0 ? await this.gates.open(policy.network) : undefined;
    if (writes) await this.commands.lookAtTasks();
    if (writes && long && this.platform !== "darwin") this.holdPlaces();
    const git = await this.askGit().catch((error: unknown) => {
      throw new Error(`The command was not run: Git did not say what it runs in the workspace (${String(error)}).`);
    });
    // Nothing is awaited between this look and the watch.
    const moment = writes ? this.folders.moment : 0;
    const { access, keeps } = policy;
    const view = this.view({ long, serves, git, access, bridged: gate !== undefined, ...defined({ keeps }) });
    const { beyond } = this.scan;
    if (beyond?.isNear) throw new Error(tooManyFolders(beyond.path));
    const isMac = way.program === SEATBELT;
    if (!isMac && !isInSight(real, view.mounts) && closest(real, view.mounts)?.path !== real)
      throw new Error(`The command was not run: the sandbox does not show its folder ${real} (strata.bash.read).`);
    const command = [launch.program, ...launch.args];
    const socket = gate && !isMac ? [{ kind: "read" as const, path: PROXY_SOCKET, from: gate.socket }] : [];
    const inner = gate && !isMac ? bridged(command) : { command, env: {} };
    const around = isMac
      ? seatbeltArguments({ view, port: gate?.port })
      : bubblewrapArguments({ ...view, mounts: [...view.mounts, ...socket] }, real, way);
    if (around.length > MAX_WORDS) throw new Error(tooMany(view));
    const files = way.filtered ? [this.folders.filter] : [];
    const network = gate ? proxyVariables(isMac ? gate.port : undefined) : NO_RETRIES;
    return {
      launch: {
        ...launch,
        program: way.program,
        args: [...around, ...(writes && !isMac ? watched(inner.command) : inner.command)],
      },
      env: { ...env, ...launch.env, ...view.env, ...network, ...inner.env },
      cwd: real,
      // Seatbelt protects missing files by their names.
      confinement: writes
        ? this.commands.begin(isMac ? { ...view, forbidden: [] } : view, { files, long, moment })
        : unwatched(files),
    };
  }

  /** Files that run outside without a question: no command that starts from now on can change them. @param whose replaces its earlier ones @param paths absolute */
  guard(whose: string, paths: readonly string[]): void {
    this.guarded.set(whose, paths);
  }

  /** A person saved this text, or agreed to it: it is theirs. @param path absolute @param text asked for where the file is obeyed */
  saved(path: string, text: () => string): void {
    this.runs.save(path, text);
  }

  /** What a command may have made is obeyed from the next start on, or once a person saved it. @param path absolute */
  mayHaveMade = (path: string, read?: ReadText): boolean => this.runs.mayHaveMade(path, read);

  refusedHosts = (): string[] => this.gates.takeRefused();

  async close(): Promise<void> {
    this.end();
    await this.folders.close();
  }

  /** Before this returns: for a process that is about to end itself. */
  closeNow(): void {
    this.end();
    this.folders.closeNow();
  }

  private holdPlaces(): void {
    // One may exist, or the folder be read-only.
    for (const path of this.roots.flatMap(root => OBEYED_FOLDERS.map(name => join(root, name))))
      if (unlessFails(() => mkdirSync(path) === undefined, false)) this.placeholders.add(path);
  }

  private end(): void {
    this.commands.closeNow();
    this.gates.close();
    // A person may have put something into one, or removed it.
    for (const path of this.placeholders) unlessFails(() => rmdirSync(path), undefined);
    this.placeholders.clear();
  }

  /** links followed; it may be missing */
  private get home(): string {
    // HOME may be set and empty.
    return realOrSame((this.options.home ?? homedir()) || "/nonexistent");
  }

  private get roots(): string[] {
    return this.options
      .roots()
      .map(({ path }) => realOrSame(path))
      .filter(path => existsSync(path) && !SYSTEM.test(path));
  }

  private async askGit(): Promise<GitSays> {
    const { roots } = this;
    const { env = process.env } = this.options;
    const program = findProgram("git", env, roots);
    return program === undefined ? NO_GIT : this.git.ask(roots, this.scan.look(roots).keys, { program, env });
  }

  private view(of: ViewedRun) {
    const { access, roots = this.roots, git = NO_GIT, long = false, serves = false, bridged = false, keeps = [] } = of;
    const { ownFolders, env = process.env, forbidden, readable } = this.options;
    const isMac = this.platform === "darwin";
    const { scan, aroundScan, folders } = this;
    return viewFor({
      ...{ access, roots, env, scan, aroundScan, folders, long, serves, git },
      settingsOf: path => folders.settingsCopy(path),
      // On a Mac commands have their temporary files where these are.
      ownFolders: isMac ? ownFolders : [...ownFolders, folders.all],
      home: this.home,
      listed: readable?.() ?? [],
      // An editor that is Node has what it needs beside it.
      programs: bridged ? [process.versions.electron ? dirname(process.execPath) : process.execPath] : [],
      ruled: forbidden?.(),
      scripts: [...new Set([...[...this.guarded.values()].flat(), ...keeps])],
      asItIs: isMac,
    });
  }

  private async find(): Promise<{ state: SandboxState; way?: SandboxRoute }> {
    const { home } = this;
    // A list of the names that programs obey in a home, or keep secrets under, is never finished.
    if (existsSync(home) && this.roots.some(root => isWithin(root, home))) {
      const why = t("The workspace is your home folder, and a sandbox around all of it would protect nothing.");
      return { state: missing(why, t("Open the folder of a project.")) };
    }
    return this.probeOnce();
  }

  /** What was not there is looked for again: a person may have installed it meanwhile. */
  private async probeOnce(): Promise<{ state: SandboxState; way?: SandboxRoute }> {
    this.probed ??= this.probe().catch((error: unknown) => ({ state: notAllowed(String(error)) }));
    const found = await this.probed;
    if (found.state.kind === "missing" && this.program() === undefined) this.probed = undefined;
    return found;
  }

  private program(): string | undefined {
    const { env = process.env, bubblewrap } = this.options;
    if (bubblewrap !== undefined) return bubblewrap;
    if (this.platform === "darwin") return existsSync(SEATBELT) ? SEATBELT : undefined;
    return findBubblewrap(env, this.roots);
  }

  private async probe(): Promise<{ state: SandboxState; way?: SandboxRoute }> {
    if (this.platform !== "linux" && this.platform !== "darwin")
      return { state: missing(t("There is no sandbox for commands on Windows."), t("In WSL there is one.")) };
    const program = this.program();
    const noSeatbelt = t("This Mac has no {0}, by which commands are confined.", SEATBELT);
    if (program === undefined) return { state: this.platform === "darwin" ? missing(noSeatbelt) : notInstalled() };
    let words = "";
    // Older versions, and those that run as root for everybody, cannot forbid nested ones: what these see is no more than this.
    for (const nested of program === SEATBELT ? [true] : [false, true]) {
      const way = { program, nested, filtered: program !== SEATBELT && systemCallFilter() !== undefined };
      const failed = await this.attempt(way);
      if (failed === undefined)
        return { state: { kind: "ready", name: program === SEATBELT ? "Seatbelt" : "bubblewrap" }, way };
      words ||= failed;
    }
    return { state: notAllowed(words) };
  }

  private attempt(way: SandboxRoute): Promise<string | undefined> {
    // The probe is about the machine, so it leaves the workspace out.
    const view = this.view({ access: "read", roots: [] });
    const outside =
      [this.options.home ?? homedir(), "/"].find(path => !this.roots.some(root => isWithin(root, path))) ?? "/";
    const isMac = way.program === SEATBELT;
    const args = isMac ? seatbeltArguments({ view }) : bubblewrapArguments(view, "/", way);
    const { env = process.env } = this.options;
    const files = way.filtered ? [this.folders.filter] : [];
    return tryOut({ program: way.program, args, env: { ...env, ...view.env }, outside, isMac, files });
  }
}

/** Without a network they would try again for a minute. */
const NO_RETRIES = { npm_config_fetch_retries: "0", PIP_RETRIES: "0" };

/** bubblewrap takes 9,000 */
const MAX_WORDS = 8900;

function tooMany({ mounts }: View): string {
  const folders = Map.groupBy(mounts, ({ path }) => dirname(path));
  const [most = "", held = []] = [...folders].reduce((a, b) => (b[1].length > a[1].length ? b : a));
  return `The command was not run: the sandbox would have to hide or keep ${mounts.length} files and folders, more than it can, ${held.length} of them in ${most}. Remove those that nobody needs, or run the command outside.`;
}

const tooManyFolders = (first: string) =>
  `The command was not run: the workspace has more folders than the sandbox looks through for what it hides and keeps (it ended at ${first}). Open a smaller folder, or run the command outside.`;

/** As folders of the workspace these would uncover hidden places. */
const SYSTEM = /^\/(?:$|(?:proc|dev|sys|run)(?:$|\/(?!media\/)))/;

const missing = (why: string, how?: string): SandboxState => ({ kind: "missing", why, ...defined({ how }) });
