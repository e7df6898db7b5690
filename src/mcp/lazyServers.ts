/** The servers, loaded once one is configured. */
import { stat } from "node:fs/promises";
import type { McpOffers, OfferedContent, ServerOffers } from "../core/ground/ports";
import type { ForeignTools, Tool } from "../core/tool/tool";
import { type ConfigOrigin, type ConfigPlaces, configFiles } from "./config/places";
import type { McpServers } from "./servers";

export class LazyServers implements ForeignTools, McpOffers {
  private loaded: McpServers | undefined;
  private loading: Promise<McpServers> | undefined;

  constructor(
    private readonly places: () => ConfigPlaces,
    private readonly load: () => Promise<McpServers>,
    /** what they offer may have changed */
    private readonly onOffers: (offers: readonly ServerOffers[]) => void = () => undefined,
  ) {}

  async refresh(): Promise<void> {
    if (!this.loaded && !(await this.isConfigured())) return;
    await (await this.get()).refresh();
    this.onOffers(this.offers());
  }

  /** `--trust`: to what the workspace names now. What it becomes later is asked about. */
  async agreeForNow(): Promise<void> {
    if (!(await this.isConfigured("workspace"))) return;
    const servers = await this.get();
    await servers.refresh();
    servers.agreeForNow();
  }

  list = (found: ReadonlySet<string>): readonly Tool[] => this.loaded?.list(found) ?? [];

  offers = (): readonly ServerOffers[] => this.loaded?.offers() ?? [];

  async prompt(server: string, call: { name: string; words: string }, signal: AbortSignal): Promise<OfferedContent> {
    return (await this.get()).prompt(server, call, signal);
  }

  async resource(server: string, uri: string, signal: AbortSignal): Promise<OfferedContent> {
    return (await this.get()).resource(server, uri, signal);
  }

  async get(): Promise<McpServers> {
    this.loading ??= this.load().then(loaded => {
      loaded.onDidChange(() => this.onOffers(this.offers()));
      return loaded;
    });
    this.loaded = await this.loading;
    return this.loaded;
  }

  async close(): Promise<void> {
    await this.loaded?.close();
  }

  killNow(): void {
    this.loaded?.killNow();
  }

  private async isConfigured(by?: ConfigOrigin["level"]): Promise<boolean> {
    const files = configFiles(this.places()).filter(({ level }) => by === undefined || level === by);
    const found = await Promise.all(files.map(({ file }) => stat(file).catch(() => undefined)));
    return found.some(stats => stats?.isFile());
  }
}
