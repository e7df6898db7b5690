/** What the host does for the page of settings. */
import type { SessionStorage } from "../../core/ground/ports";
import { inARow, sizeText } from "../../shared/format";
import { plural, t } from "../../shared/l10n";
import type { SettingRow, SettingsAct, SettingsPageName, WantedPage } from "../../shared/settingsProtocol";
import type { FoundSection } from "../../shared/startProtocol";
import type { PanelHandlers } from "./dispatch";
import type { FoundReport } from "./found";

export interface SettingsDeps {
  rows(): SettingRow[];
  wantedPage(): WantedPage | undefined;
  /** undefined: as it is by default */
  write(name: string, value: unknown): Promise<void>;
  edit(name: string): Promise<void>;
  /** what is in force, and rules with where each comes from */
  permissions(): Promise<FoundSection[]>;
  found(): Promise<FoundReport>;
  storage: Pick<SessionStorage, "usage" | "deleted">;
  /** Resolves when the person answered. */
  decideHooks(path: string): Promise<void>;
  act(act: SettingsAct): Promise<unknown>;
}

export type SettingsHandlers = Pick<
  PanelHandlers,
  "settings" | "settingsFacts" | "setSetting" | "editSetting" | "decideHooks" | "settingsAct"
>;

/** Servers have a list of their own on their page. */
const pagesOfFound: Readonly<Record<string, SettingsPageName | undefined>> = {
  ...{ model: "model", rules: "skills", skills: "skills", hooks: "hooks" },
};

export const settingsHandlers = (deps: SettingsDeps): SettingsHandlers => ({
  async settings() {
    const wanted = deps.wantedPage();
    return { rows: deps.rows(), ...(wanted ? { wanted } : {}) };
  },
  async settingsFacts({ page }) {
    return { facts: (await factsOf(page, deps)).map(section => ({ page, section })) };
  },
  async setSetting({ name, value }) {
    await deps.write(name, value);
    return {};
  },
  async editSetting({ name }) {
    await deps.edit(name);
    return {};
  },
  async decideHooks({ path }) {
    await deps.decideHooks(path);
    return {};
  },
  // What it opens stays open for as long as the person likes.
  async settingsAct({ act }) {
    void deps.act(act);
    return {};
  },
});

/** Of one page alone: what others show takes a walk through all sessions, or asks the servers of this machine. */
async function factsOf(page: SettingsPageName, deps: SettingsDeps): Promise<FoundSection[]> {
  if (page === "tools") return [];
  if (page === "permissions") return deps.permissions();
  if (page === "storage") return [await storageFacts(deps.storage)];
  return (await deps.found()).sections.filter(({ kind }) => pagesOfFound[kind] === page);
}

/** What sessions take on disk. Those in the trash take room there too, and are counted by themselves. */
async function storageFacts(storage: SettingsDeps["storage"]): Promise<FoundSection> {
  const [usage, trash] = await Promise.all([storage.usage(), storage.deleted()]);
  const inTrash = new Set(trash.map(({ key }) => key));
  const [deleted, kept] = [usage.filter(({ id }) => inTrash.has(id)), usage.filter(({ id }) => !inTrash.has(id))];
  const size = (of: typeof usage) => sizeText(of.reduce((sum, { bytes }) => sum + bytes, 0));
  const lines = [
    { label: plural(kept.length, "1 session on disk", "{0} sessions on disk"), detail: size(kept) },
    {
      label: t("Trash"),
      detail: inARow([
        plural(trash.length, "1 deleted session", "{0} deleted sessions"),
        ...(trash.length > 0 ? [size(deleted)] : []),
      ]),
    },
  ];
  return { kind: "sessions", title: t("Sessions"), lines };
}
