/**
 * `npm run manifest` writes the settings into package.json, from their one schema (src/shared/settings.ts): name, default,
 * description, limits. A test compares; `--check` fails when package.json is out of date.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { explain, Problem } from "./lib/console.mjs";
import { root } from "./lib/install.mjs";

const file = join(root, "package.json");

/** Whole numbers without a limit: JSON Schema states the language's own. */
const noLimit = new Set([Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]);

/**
 * The manifest with what is generated brought up to date. Pure.
 * @param {Record<string, any>} manifest content of package.json
 * @param {object} schema JSON Schema of all settings, each a property
 * @param {Record<string, Record<string, string>>} enumDescriptions setting → value → words
 * @param {readonly string[]} ofWorkspace settings that a workspace may set; VS Code takes all others, of scope
 *   `application`, from the user's settings only
 */
export function withSettings(manifest, schema, enumDescriptions, ofWorkspace) {
  const properties = Object.entries(schema.properties).map(([name, property], order) => [
    `strata.${name}`,
    {
      ...setting(name, property, enumDescriptions[name]),
      scope: ofWorkspace.includes(name) ? "window" : "application",
      order,
    },
  ]);
  const { contributes, capabilities } = manifest;
  return {
    ...manifest,
    capabilities: {
      ...capabilities,
      untrustedWorkspaces: {
        ...capabilities.untrustedWorkspaces,
        restrictedConfigurations: properties.map(([name]) => name),
      },
    },
    contributes: {
      ...contributes,
      configuration: { ...contributes.configuration, properties: Object.fromEntries(properties) },
    },
  };
}

function setting(name, property, words) {
  const { type, enum: values, default: value, description, minimum, maximum } = property;
  if (!description) throw new Problem(`The setting ${name} has no description: people read it in VS Code's settings.`);
  return {
    type,
    ...(values && { enum: values, ...(words && { enumDescriptions: values.map(each => words[each]) }) }),
    ...(minimum !== undefined && !noLimit.has(minimum) && { minimum }),
    ...(maximum !== undefined && !noLimit.has(maximum) && { maximum }),
    default: value,
    markdownDescription: description,
  };
}

/** @returns {Promise<{ now: string, wanted: string }>} package.json as it is and as it should be */
export async function manifestTexts() {
  const { build } = await import("esbuild");
  const contents =
    'export { settingsSchema, modeDescriptions, reviewDescriptions, dirtyFilesDescriptions, workspaceSettings } from "./src/shared/settings.ts"; export { toJSONSchema } from "zod";';
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    ...{ bundle: true, format: "esm", platform: "node", write: false, logLevel: "warning" },
  });
  const code = Buffer.from(outputFiles[0].contents).toString("base64");
  const settings = await import(`data:text/javascript;base64,${code}`);
  const now = readFileSync(file, "utf8");
  const schema = settings.toJSONSchema(settings.settingsSchema, { io: "input" });
  const words = {
    "permissions.mode": settings.modeDescriptions,
    "edits.review": settings.reviewDescriptions,
    "bash.dirtyFiles": settings.dirtyFilesDescriptions,
  };
  const wanted = withSettings(JSON.parse(now), schema, words, settings.workspaceSettings);
  return { now, wanted: `${JSON.stringify(wanted, null, 2)}\n` };
}

async function main() {
  const { now, wanted } = await manifestTexts();
  if (process.argv.includes("--check")) {
    if (now !== wanted)
      throw new Problem("package.json is not what src/shared/settings.ts says: run `npm run manifest`.");
    return;
  }
  if (now !== wanted) writeFileSync(file, wanted);
  console.log(now === wanted ? "package.json is up to date" : "package.json: settings written");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main().catch(error => {
    console.error(explain(error));
    process.exitCode = 1;
  });
}
