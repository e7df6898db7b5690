/**
 * Who has models of their own, as settings, logs and people name them: the part of the table of providers that needs none of its code
 * (`models/providers.ts` has a row for each). No provider's name is a text elsewhere.
 */

export interface ProviderFacts {
  /** for people */
  title: string;
  /** its server, with no slash at the end */
  address: string;
  /** its best-known models, for people */
  models: string;
  /** how their names begin, for people; undefined: in many ways */
  named: string | undefined;
  /** environment variables that have its key in a terminal; the first that is set counts */
  keyVariables: readonly [string, ...string[]];
  /** undefined: its keys look like those of others */
  keysBegin: RegExp | undefined;
  /** models that only it runs: a server near by that has them passes requests on; undefined: it makes none */
  makes: RegExp | undefined;
  /** as the conventions of OpenTelemetry call it */
  telemetry: string;
}

export const ownProviders = {
  openai: {
    title: "OpenAI",
    address: "https://api.openai.com/v1",
    models: "GPT",
    named: "gpt-…",
    keyVariables: ["OPENAI_API_KEY"],
    keysBegin: undefined,
    makes: /\b(?:gpt-(?!oss)|o[134](?:-|$))/,
    telemetry: "openai",
  },
  anthropic: {
    title: "Anthropic",
    address: "https://api.anthropic.com/v1",
    models: "Claude",
    named: "claude-…",
    keyVariables: ["ANTHROPIC_API_KEY"],
    keysBegin: /^sk-ant-/,
    makes: /\bclaude-/,
    telemetry: "anthropic",
  },
  google: {
    title: "Google",
    address: "https://generativelanguage.googleapis.com/v1beta",
    models: "Gemini",
    named: "gemini-…",
    keyVariables: ["GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
    keysBegin: /^AIza/,
    makes: /\bgemini-/,
    telemetry: "gcp.gemini",
  },
  bedrock: {
    title: "Amazon Bedrock",
    address: "https://bedrock-runtime.us-east-1.amazonaws.com",
    models: "Claude, Nova and others, by an AWS account",
    named: undefined,
    keyVariables: ["AWS_BEARER_TOKEN_BEDROCK"],
    keysBegin: undefined,
    makes: undefined,
    telemetry: "aws.bedrock",
  },
} as const satisfies Record<string, ProviderFacts>;

export type OwnProvider = keyof typeof ownProviders;

/** The one whose interface other servers speak: who sets nothing asks it. */
export const COMMON = "openai" satisfies OwnProvider;
export const COMMON_API = `${ownProviders[COMMON].title}'s API`;
export const COMMON_COMPATIBLE = `${ownProviders[COMMON].title}-compatible`;

export const ownProviderNames = Object.keys(ownProviders) as OwnProvider[];

export const ownFacts: readonly ProviderFacts[] = Object.values(ownProviders);

export const isOwnProvider = (name: string | undefined): name is OwnProvider =>
  name !== undefined && Object.hasOwn(ownProviders, name);

/** Asked by their own interface, where the setting names them. */
export const namedProviders = ownProviderNames.filter(
  (name): name is Exclude<OwnProvider, typeof COMMON> => name !== COMMON,
);

/** Servers that run on this machine, at their usual addresses. */
export const localServers = {
  ollama: { title: "Ollama", address: "http://localhost:11434/v1" },
  lmstudio: { title: "LM Studio", address: "http://localhost:1234/v1" },
} as const;

/** All that are looked for where a person sets a model up. Without being asked, only the ones above are used: these ports are others' too. */
export const knownLocalServers = {
  ...localServers,
  llamacpp: { title: "llama.cpp", address: "http://localhost:8080/v1" },
  vllm: { title: "vLLM", address: "http://localhost:8000/v1" },
} as const;

export type LocalServer = keyof typeof localServers;

export const isLocalServer = (name: string): name is LocalServer => Object.hasOwn(localServers, name);

/** Servers of others whose keys say whose they are. */
export const keyServers = {
  openrouter: { title: "OpenRouter", address: "https://openrouter.ai/api/v1", begin: /^sk-or-/ },
  groq: { title: "Groq", address: "https://api.groq.com/openai/v1", begin: /^gsk_/ },
  xai: { title: "xAI", address: "https://api.x.ai/v1", begin: /^xai-/ },
} as const;

/** Keys of the common provider that no other one's begin like. Older ones begin with `sk-` alone, as many others' do. */
const COMMON_KEY = /^sk-(?:proj|svcacct|admin)-/;

/** Whose key it is, where its form leaves no doubt. */
export function keyOwner(key: string): { provider: OwnProvider } | { address: string } | undefined {
  const own = ownProviderNames.find(name => ownProviders[name].keysBegin?.test(key));
  if (own !== undefined) return { provider: own };
  const server = Object.values(keyServers).find(({ begin }) => begin.test(key));
  if (server) return { address: server.address };
  return COMMON_KEY.test(key) ? { provider: COMMON } : undefined;
}

export const keyVariableNames = ownFacts.map(({ keyVariables: [first] }) => first);
export const localTitles = Object.values(localServers).map(({ title }) => title);
export const knownLocalTitles: readonly string[] = Object.values(knownLocalServers).map(({ title }) => title);
export const keyServerTitles: readonly string[] = Object.values(keyServers).map(({ title }) => title);
