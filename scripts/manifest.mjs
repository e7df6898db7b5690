/**
 * `npm run manifest` writes the settings into package.json and docs/settings.md, from their one schema
 * (src/shared/settings.ts): name, default, description, limits. A test compares; `--check` fails when one is out of date.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { explain, Problem } from "./lib/console.mjs";
import { root } from "./lib/install.mjs";

const files = { manifest: join(root, "package.json"), page: join(root, "docs", "settings.md") };

/** Whole numbers without a limit: JSON Schema states the language's own. */
const noLimit = new Set([Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]);

/**
 * The manifest with what is generated brought up to date. Pure.
 * @param {Record<string, any>} manifest content of package.json
 * @param {object} schema JSON Schema of all settings, each a property
 * @param {Record<string, Record<string, string>>} enumDescriptions setting → value → words
 * @param {readonly string[]} ofWorkspace settings that a workspace may set
 * @param {readonly string[]} ofMachine settings that a remote window and a container have for themselves; VS Code takes all
 *   others, of scope `application`, from the user's own settings only
 */
export function withSettings(manifest, schema, enumDescriptions, ofWorkspace, ofMachine) {
  const both = ofMachine.filter(name => ofWorkspace.includes(name));
  if (both.length > 0) throw new Problem(`A workspace may set what is a machine's: ${both.join(", ")}.`);
  const scopeOf = name =>
    ofWorkspace.includes(name) ? "window" : ofMachine.includes(name) ? "machine" : "application";
  const properties = Object.entries(schema.properties).map(([name, property], order) => [
    `strata.${name}`,
    {
      ...setting(name, property, enumDescriptions[name]),
      scope: scopeOf(name),
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
  const { type, items, additionalProperties, enum: values, default: value, description, minimum, maximum } = property;
  if (!description) throw new Problem(`The setting ${name} has no description: people read it in VS Code's settings.`);
  return {
    type,
    // A list's limits are ours to check: VS Code's settings page shows lists of plain texts only.
    ...(items && { items: { type: items.type } }),
    ...(additionalProperties && { additionalProperties }),
    ...(values && { enum: values, ...(words && { enumDescriptions: values.map(each => words[each]) }) }),
    ...(minimum !== undefined && !noLimit.has(minimum) && { minimum }),
    ...(maximum !== undefined && !noLimit.has(maximum) && { maximum }),
    default: value,
    markdownDescription: description,
  };
}

/**
 * docs/settings.md. Pure.
 * @param {Record<string, any>} properties as `withSettings` contributes them
 */
export function settingsPage(properties) {
  const row = ([name, { default: value, markdownDescription, enum: values, minimum, maximum, scope }]) => {
    const range = [minimum !== undefined && `from ${minimum}`, maximum !== undefined && `to ${maximum}`].filter(
      Boolean,
    );
    const takes = values ? values.map(each => `\`${each}\``).join(", ") : range.join(" ");
    const cells = [
      `\`${name}\``,
      `\`${JSON.stringify(value)}\``,
      takes,
      { window: "yes", machine: "no, each machine has its own" }[scope] ?? "no",
      markdownDescription,
    ];
    return `| ${cells.map(cell => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  };
  return `# Settings

<!-- Written by \`npm run manifest\` from src/shared/settings.ts: change it there. -->

In VS Code these are settings; the key lies in its secret storage. In a terminal the later of these wins: \`settings.json\` in the
user's configuration folder, the workspace's \`.vscode/settings.json\` with \`--trust\`, the environment (\`strata.model.name\` is
\`STRATA_MODEL_NAME\`; the key is \`OPENAI_API_KEY\`,
\`ANTHROPIC_API_KEY\`, \`GEMINI_API_KEY\` or \`AWS_BEARER_TOKEN_BEDROCK\`), options of the command line.

The administrator of a machine can set the same names in a file that wins over all of these: \`/etc/strata/settings.json\`, on macOS
\`/Library/Application Support/Strata/settings.json\`, on Windows \`%ProgramData%\\Strata\\settings.json\`. Its rules add to everybody's; its
mode is the loosest that can be chosen. While it is there and cannot be used (no JSON, a value or a name that is none), nothing runs unasked.

| setting | default | takes | a workspace may set it | what it does |
|---|---|---|---|---|
${Object.entries(properties).map(row).join("\n")}
`;
}

const readIfThere = path => (existsSync(path) ? readFileSync(path, "utf8") : "");

/** @returns {Promise<{ now: string, wanted: string, page: { now: string, wanted: string } }>} package.json and the page, as they are and as they should be */
export async function manifestTexts() {
  const { build } = await import("esbuild");
  const contents =
    'export { settingsSchema, workspaceSettings, machineSettings } from "./src/shared/settings.ts"; export * from "./src/shared/settingValues.ts"; export { toJSONSchema } from "zod";';
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    ...{ bundle: true, format: "esm", platform: "node", write: false, logLevel: "warning" },
  });
  const code = Buffer.from(outputFiles[0].contents).toString("base64");
  const settings = await import(`data:text/javascript;base64,${code}`);
  const now = readFileSync(files.manifest, "utf8");
  const schema = settings.toJSONSchema(settings.settingsSchema, { io: "input" });
  const words = {
    "permissions.mode": Object.fromEntries(
      settings.permissionModes.map(mode => [mode, Object.values(settings.modeWords(mode)).join(": ")]),
    ),
    "edits.review": settings.reviewDescriptions,
    "bash.dirtyFiles": settings.dirtyFilesDescriptions,
    "bash.sandbox": settings.sandboxDescriptions,
    notifications: settings.notificationsDescriptions,
  };
  const wanted = withSettings(JSON.parse(now), schema, words, settings.workspaceSettings, settings.machineSettings);
  const page = { now: readIfThere(files.page), wanted: settingsPage(wanted.contributes.configuration.properties) };
  return { now, wanted: `${JSON.stringify(wanted, null, 2)}\n`, page };
}

async function main() {
  const { now, wanted, page } = await manifestTexts();
  const current = now === wanted && page.now === page.wanted;
  if (process.argv.includes("--check")) {
    if (current) return;
    throw new Problem(
      "package.json or docs/settings.md is not what src/shared/settings.ts says: run `npm run manifest`.",
    );
  }
  if (now !== wanted) writeFileSync(files.manifest, wanted);
  if (page.now !== page.wanted) writeFileSync(files.page, page.wanted);
  console.log(current ? "package.json and docs/settings.md are up to date" : "settings written");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main().catch(error => {
    console.error(explain(error));
    process.exitCode = 1;
  });
}
