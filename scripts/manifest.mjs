/**
 * `npm run manifest` writes the settings into package.json and docs/settings.md, from their one schema
 * (src/shared/settings.ts): name, default, description, limits; and moves every sentence of package.json into package.nls.json,
 * for which package.nls.<language>.json has translations. A test compares; `--check` fails when one is out of date.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { explain, Problem } from "./lib/console.mjs";
import { root } from "./lib/install.mjs";

const files = {
  manifest: join(root, "package.json"),
  page: join(root, "docs", "settings.md"),
  nls: join(root, "package.nls.json"),
};

/** Sections of VS Code's settings page, in their order: titles, and which names they have that no section before them has. */
const sections = [
  ["Common", /^(?:model\.name|permissions\.mode|bash\.sandbox|agent\.maxCost\w+|notifications)$/],
  ["Models", /^(?:model|summary)\./],
  ["Context and History", /^(?:agent|context|history|sessions|recall|storage)\./],
  ["Permissions", /^permissions\./],
  ["Edits and Review", /^(?:edits|review|diagnostics|mentions)\./],
  ["Commands", /^bash\./],
  ["MCP Servers", /^mcp\./],
  ["Agents", /^agents\./],
  ["Logging", /^(?:log|telemetry)\./],
];

/** Whole numbers without a limit: JSON Schema states the language's own. */
const noLimit = new Set([Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]);

/**
 * The manifest with what is generated brought up to date. Pure.
 * @param {Record<string, any>} manifest content of package.json
 * @param {object} schema JSON Schema of all settings, each a property
 * @param {Record<string, Record<string, { name: string, meaning: string }>>} choices setting → value → words, beside those in the schema
 * @param {readonly string[]} ofWorkspace settings that a workspace may set
 * @param {readonly string[]} ofMachine settings that a remote window and a container have for themselves; VS Code takes all
 *   others, of scope `application`, from the user's own settings only
 */
export function withSettings(manifest, schema, choices, ofWorkspace, ofMachine) {
  const both = ofMachine.filter(name => ofWorkspace.includes(name));
  if (both.length > 0) throw new Problem(`A workspace may set what is a machine's: ${both.join(", ")}.`);
  const scopeOf = name =>
    ofWorkspace.includes(name) ? "window" : ofMachine.includes(name) ? "machine" : "application";
  const properties = Object.entries(schema.properties).map(([name, property], order) => [
    `strata.${name}`,
    {
      ...setting(name, property, choices[name]),
      scope: scopeOf(name),
      order,
    },
  ]);
  const sectionOf = name => sections.find(([, names]) => names.test(name.replace("strata.", "")))?.[0];
  const lost = properties.find(([name]) => sectionOf(name) === undefined);
  if (lost) throw new Problem(`The setting ${lost[0]} is in no section of VS Code's settings page.`);
  const configuration = sections.map(([title], order) => ({
    ...{ title, order },
    properties: Object.fromEntries(properties.filter(([name]) => sectionOf(name) === title)),
  }));
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
    contributes: { ...contributes, configuration },
  };
}

/** Names of settings between backticks lead to them on VS Code's page. */
const withLinks = text => text.replace(/`(strata\.[\w.]+)`/g, "`#$1#`");

function setting(name, { anyOf, ...own }, choices) {
  // What may be null: VS Code's settings page has a field for it, which may be empty.
  const property = anyOf ? { ...own, ...anyOf[0], type: anyOf.map(({ type }) => type) } : own;
  const {
    type,
    items,
    additionalProperties,
    enum: all,
    default: value,
    description,
    minimum,
    maximum,
    tags,
  } = property;
  const { values = choices && Object.fromEntries(all.map(each => [each, choices[each].meaning])) } = property;
  const bare = all?.filter(each => !values?.[each]) ?? [];
  if (bare.length > 0) throw new Problem(`The setting ${name} does not say what these do: ${bare.join(", ")}.`);
  if (!description) throw new Problem(`The setting ${name} has no description: people read it in VS Code's settings.`);
  return {
    type,
    // A list's length is ours to check: VS Code's settings page shows lists of plain texts only.
    ...(items && { items: itemOf(items), ...(name !== "bash.env" && { uniqueItems: true }) }),
    ...(additionalProperties && { additionalProperties }),
    ...(all && { enum: all, enumDescriptions: all.map(each => values[each]) }),
    ...(choices && { enumItemLabels: all.map(each => choices[each].name) }),
    ...(minimum !== undefined && !noLimit.has(minimum) && { minimum }),
    ...(maximum !== undefined && !noLimit.has(maximum) && { maximum }),
    default: value,
    ...(tags && { tags }),
    markdownDescription: withLinks(description),
  };
}

const itemOf = ({ type, pattern, patternErrorMessage }) => ({
  type,
  ...(patternErrorMessage && { pattern, patternErrorMessage }),
});

/**
 * The manifest with a key (`%command.stop%`) for each sentence, and the sentences by their keys. Pure.
 * @param {Record<string, any>} manifest sentences in it are new ones, or come from the schema
 * @param {Record<string, string>} known package.nls.json, for keys that stand in it already
 * @returns {{ manifest: Record<string, any>, sentences: Record<string, string> }}
 */
export function withKeys(manifest, known) {
  const sentences = {};
  const keyed = (key, text) => {
    if (text === undefined || text === manifest.displayName) return text;
    const [, written] = /^%(.+)%$/.exec(text) ?? [];
    const name = written ?? key;
    const sentence = written === undefined ? text : known[name];
    if (sentence === undefined) throw new Problem(`package.nls.json has no ${name}, which package.json names.`);
    sentences[name] = sentence;
    return `%${name}%`;
  };
  /** What of an object is read by people, each with its key. */
  const said = (object, key, names) => ({
    ...object,
    ...Object.fromEntries(
      names.filter(name => object[name] !== undefined).map(name => [name, keyed(`${key}.${name}`, object[name])]),
    ),
  });
  const short = id => id.replace(/^strata\./, "");
  const { contributes, capabilities } = manifest;
  const { configuration, commands = [], views = {}, viewsWelcome, walkthroughs, submenus } = contributes;
  const settingOf = ([name, { items, enum: all, enumDescriptions, enumItemLabels, ...property }]) => {
    const key = `setting.${short(name)}`;
    const each = (texts, end) => texts?.map((text, at) => keyed(`${key}.${all[at]}${end}`, text));
    return [
      name,
      {
        ...said(property, key, ["markdownDescription"]),
        ...(items && { items: said(items, key, ["patternErrorMessage"]) }),
        ...(all && { enum: all, enumDescriptions: each(enumDescriptions, "") }),
        ...(enumItemLabels && { enumItemLabels: each(enumItemLabels, ".label") }),
      },
    ];
  };
  const stepOf = (walkthrough, step) => {
    const key = `walkthrough.${walkthrough.id}.${step.id}`;
    const media = step.media && said(step.media, `${key}.media`, ["altText"]);
    return { ...said(step, key, ["title", "description"]), ...(media && { media }) };
  };
  return {
    manifest: {
      ...said(manifest, "extension", ["description"]),
      capabilities: Object.fromEntries(
        Object.entries(capabilities).map(([name, capability]) => [name, said(capability, name, ["description"])]),
      ),
      contributes: {
        ...contributes,
        commands: commands.map(command =>
          said(command, `command.${short(command.command)}`, ["title", "shortTitle", "category"]),
        ),
        views: Object.fromEntries(
          Object.entries(views).map(([place, all]) => [
            place,
            all.map(view => said(view, `view.${short(view.id)}`, ["name", "contextualTitle"])),
          ]),
        ),
        ...(viewsWelcome && {
          viewsWelcome: viewsWelcome.map((welcome, at) => said(welcome, `welcome.${at}`, ["contents"])),
        }),
        ...(submenus && { submenus: submenus.map(menu => said(menu, `menu.${short(menu.id)}`, ["label"])) }),
        ...(walkthroughs && {
          walkthroughs: walkthroughs.map(each => ({
            ...said(each, `walkthrough.${each.id}`, ["title", "description"]),
            steps: each.steps.map(step => stepOf(each, step)),
          })),
        }),
        configuration: configuration.map(section => ({
          ...said(section, `settings.${section.title.replaceAll(" ", "")}`, ["title"]),
          properties: Object.fromEntries(Object.entries(section.properties).map(settingOf)),
        })),
      },
    },
    sentences: Object.fromEntries(Object.entries(sentences).sort(([one], [other]) => (one < other ? -1 : 1))),
  };
}

/**
 * docs/settings.md. Pure.
 * @param {readonly { title: string, properties: Record<string, any> }[]} configuration as `withSettings` contributes it
 */
export function settingsPage(configuration) {
  const row = ([name, { default: value, markdownDescription, enum: values, enumDescriptions, ...limits }]) => {
    const { minimum, maximum, scope } = limits;
    const words = values?.map((each, at) => `\`${each}\`: ${enumDescriptions[at]}`) ?? [];
    // Links of VS Code's page.
    const description = markdownDescription.replace(/`#(.*?)#`/g, "`$1`").replace(/\[(.*?)\]\(command:.*?\)/g, "*$1*");
    const range = [minimum !== undefined && `from ${minimum}`, maximum !== undefined && `to ${maximum}`].filter(
      Boolean,
    );
    const takes = values ? values.map(each => `\`${each}\``).join(", ") : range.join(" ");
    const cells = [
      `\`${name}\``,
      `\`${JSON.stringify(value)}\``,
      takes,
      { window: "yes", machine: "no, each machine has its own" }[scope] ?? "no",
      [description, ...words].join(" "),
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

${configuration.map(sectionTable).join("\n\n")}
`;

  function sectionTable({ title, properties }) {
    const rows = Object.entries(properties).map(row);
    return `## ${title}\n| setting | default | takes | a workspace may set it | what it does |\n|---|---|---|---|---|\n${rows.join("\n")}`;
  }
}

const readIfThere = path => (existsSync(path) ? readFileSync(path, "utf8") : "");

/** @returns {Promise<Record<"manifest" | "page" | "nls", { now: string, wanted: string }>>} the files as they are and as they should be */
export async function manifestTexts() {
  const { build } = await import("esbuild");
  const contents =
    'export { settingsSchema, workspaceSettings, machineSettings } from "./src/shared/settings.ts"; export * from "./src/shared/settingValues.ts"; export { toJSONSchema } from "zod";';
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    // As in a browser: a module from a text has no `require`, by which packages for Node ask for files.
    ...{ bundle: true, format: "esm", platform: "browser", write: false, logLevel: "warning" },
  });
  const code = Buffer.from(outputFiles[0].contents).toString("base64");
  const settings = await import(`data:text/javascript;base64,${code}`);
  const now = readFileSync(files.manifest, "utf8");
  const schema = settings.toJSONSchema(settings.settingsSchema, { io: "input" });
  const wordsOf = (all, words) => Object.fromEntries(all.map(each => [each, words(each)]));
  const choices = {
    "permissions.mode": wordsOf(settings.permissionModes, settings.modeWords),
    "model.reasoning": wordsOf(settings.reasoningValues, settings.effortWords),
  };
  const english = withSettings(JSON.parse(now), schema, choices, settings.workspaceSettings, settings.machineSettings);
  const nls = readIfThere(files.nls);
  const { manifest, sentences } = withKeys(english, nls === "" ? {} : JSON.parse(nls));
  return {
    manifest: { now, wanted: jsonText(manifest) },
    page: { now: readIfThere(files.page), wanted: settingsPage(english.contributes.configuration) },
    nls: { now: nls, wanted: jsonText(sentences) },
  };
}

const jsonText = value => `${JSON.stringify(value, null, 2)}\n`;

async function main() {
  const stale = Object.entries(await manifestTexts()).filter(([, { now, wanted }]) => now !== wanted);
  if (stale.length > 0 && process.argv.includes("--check"))
    throw new Problem(
      `${stale.map(([name]) => relative(root, files[name])).join(", ")} is out of date: run \`npm run manifest\`.`,
    );
  for (const [name, { wanted }] of stale) writeFileSync(files[name], wanted);
  console.log(
    stale.length === 0 ? "package.json, its sentences and docs/settings.md are up to date" : "settings written",
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main().catch(error => {
    console.error(explain(error));
    process.exitCode = 1;
  });
}
