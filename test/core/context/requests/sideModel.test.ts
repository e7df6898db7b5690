/** A workspace names smaller models of whom the person chose, and nobody else's. */
import assert from "node:assert/strict";
import { connectSideModel } from "../../../../src/core/context/requests/request";
import type { ModelConnection, SettingsLayer } from "../../../../src/core/ground/ports";
import { settingsSchema } from "../../../../src/shared/settings";

const connection = (name: string, provider: string, address: string) =>
  ({ name, provider, address }) as ModelConnection;
const places: Record<string, ModelConnection> = {
  "": connection("gpt-large", "openai", "https://api.openai.com/v1"),
  "gpt-small": connection("gpt-small", "openai", "https://api.openai.com/v1"),
  "claude-small": connection("claude-small", "anthropic", "https://api.anthropic.com/v1"),
  elsewhere: connection("elsewhere", "openai", "https://other.example/v1"),
};

async function connected(setting: "model.small" | "summary.model", name: string, level?: SettingsLayer["level"]) {
  const logged: unknown[] = [];
  const settings = settingsSchema.parse({ [setting]: name });
  const layers = level && [{ level, place: "the workspace", values: { [setting]: name } }];
  const deps = {
    models: { connect: async ({ name: asked = "" }: { name?: string } = {}) => places[asked]! } as never,
    settings: { get: () => settings, ...(layers && { layers: () => layers }) },
    logger: { log: (_: string, __: string, fields?: object) => void logged.push(fields) },
  };
  const { name: asked } = await connectSideModel(setting, deps, setting === "summary.model" ? places[""] : undefined);
  return { asked, logged };
}

describe("the model for what is asked beside the turns", () => {
  for (const setting of ["model.small", "summary.model"] as const) {
    it(`is who a person names, whoever has it: ${setting}`, async () => {
      assert.equal((await connected(setting, "claude-small")).asked, "claude-small");
      assert.equal((await connected(setting, "claude-small", "user")).asked, "claude-small");
      assert.equal((await connected(setting, "")).asked, "gpt-large");
    });

    it(`is a workspace's where the same provider has it, at the same address: ${setting}`, async () => {
      assert.deepEqual(await connected(setting, "gpt-small", "workspace"), { asked: "gpt-small", logged: [] });
      for (const name of ["claude-small", "elsewhere"]) {
        const { asked, logged } = await connected(setting, name, "workspace");
        assert.equal(asked, "gpt-large");
        assert.deepEqual(logged, [
          { setting: `strata.${setting}`, name, place: "the workspace", instead: "gpt-large" },
        ]);
      }
    });
  }
});
