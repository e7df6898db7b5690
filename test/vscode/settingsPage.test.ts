/** What the host tells the page of settings. */
import assert from "node:assert/strict";
import { settingsPages } from "../../src/shared/settingsProtocol";
import { settingsHandlers } from "../../src/vscode/panel/settingsHandlers";
import { settingsDeps } from "../fakes/panelHost";

type Deps = Parameters<typeof settingsHandlers>[0];

const handlers = (deps: Partial<Deps>) => settingsHandlers({ ...settingsDeps, ...deps });

const session = (id: string) => ({ id, title: "", created: 0, updated: 0, turns: 1 });

describe("the host of the page of settings", () => {
  it("tells the wanted page in every answer", async () => {
    const page = handlers({ wantedPage: () => ({ page: "hooks", nth: 1 }) });
    const told = [await page.settings({}), await page.settings({})];
    assert.deepEqual(
      told.map(({ wanted }) => wanted?.page),
      ["hooks", "hooks"],
    );
  });

  it("looks only for what the page shows", async () => {
    const asked: string[] = [];
    const { settingsFacts } = handlers({
      async permissions() {
        asked.push("permissions");
        return [];
      },
      async found() {
        asked.push("found");
        const line = { label: "x" };
        const sections = ["model", "rules", "hooks"].map(kind => ({ kind, title: kind, lines: [line] }));
        return { ...(await settingsDeps.found()), sections };
      },
      storage: {
        async usage() {
          asked.push("storage");
          return [];
        },
        deleted: async () => [],
      },
    });
    const kinds: Record<string, string[]> = {};
    for (const page of settingsPages)
      kinds[page] = (await settingsFacts({ page })).facts.map(({ section }) => section.kind);
    assert.deepEqual(asked, ["found", "permissions", "found", "found", "storage"]);
    assert.deepEqual(
      [kinds.model, kinds.tools, kinds.skills, kinds.hooks, kinds.storage],
      [["model"], [], ["rules"], ["hooks"], ["sessions"]],
    );
  });

  it("counts sessions that are kept and those in the trash each by themselves, with what they take", async () => {
    const storage: Deps["storage"] = {
      usage: async () => [
        { id: "one", bytes: 2_000_000 },
        { id: "two", bytes: 1_000_000 },
        { id: "three.7", bytes: 500_000 },
      ],
      deleted: async () => [{ key: "three.7", deleted: 7, meta: session("three") }],
    };
    const { facts } = await handlers({ storage }).settingsFacts({ page: "storage" });
    assert.deepEqual(
      facts.flatMap(({ section }) => section.lines.map(({ label, detail }) => `${label} · ${detail}`)),
      ["2 sessions on disk · 3 MB", "Trash · 1 deleted session, 500 kB"],
    );
  });
});
