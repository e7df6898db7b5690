/** The kinds of agents that a task can be given to: two that are built in, and those that files describe. */

import agentPrompt from "../../../../prompts/agent.md";
import exploreText from "../../../../prompts/agentExplore.md";
import reviewText from "../../../../prompts/agentReview.md";
import type { RuleFile, Rules } from "../../ground/ports";
import { renderTemplate } from "../../ground/text/format";
import type { AgentType } from "../../guidance/skills/agentType";

const READING = ["Read", "LS", "Glob", "Grep", "Code", "Diagnostics", "Recall", "TodoWrite"];
const nothingMore = {
  description: "",
  text: "",
  without: [],
  skills: [],
  warnings: [],
  cutBytes: 0,
  path: "",
} as const;
/** Also the kind whose file is gone. */
export const readingKind = (name: string): AgentType => ({ ...nothingMore, name, tools: READING, trust: "user" });

export const REVIEW = "review";

const builtIn: readonly AgentType[] = [
  { ...readingKind("explore"), description: "finds and reads", text: exploreText, model: "small" },
  { ...readingKind(REVIEW), description: "checks the uncommitted changes", text: reviewText },
];

/** No file has the name of one that is built in. */
export const kindsOf = (files: readonly AgentType[]): readonly AgentType[] => [...builtIn, ...files];

/** What a kind gets of its caller's tools. `server:*` is all of a server. Recall leads back to results that were shortened. */
export function mayUse({ tools, without }: Pick<AgentType, "tools" | "without">, toolName: string): boolean {
  // Files write servers as the wire does: `my_server`.
  const plain = (name: string) => name.replace(/[^\w:*-]/g, "_");
  const isNamed = (name: string) =>
    name === "*" ||
    plain(name) === plain(toolName) ||
    (name.endsWith(":*") && plain(toolName).startsWith(plain(name.slice(0, -1))));
  const isImplied = toolName === "Recall" || (toolName === "FindTools" && tools?.some(name => name.includes(":")));
  return (isImplied || (tools?.some(isNamed) ?? true)) && !without.some(isNamed);
}

/** The caller's rules, and behind them what a child is told of its kind and its place. */
export function rulesOfChild(rules: Rules, kind: AgentType, notes: readonly string[]): Rules {
  const { name, path, text, skills, trust, cutBytes } = kind;
  const words = renderTemplate(agentPrompt, {
    name,
    skills: [skills.length > 0 && `Load these skills before you begin: ${skills.join(", ")}.`, ...notes]
      .filter(Boolean)
      .join("\n"),
    body: text,
  });
  const own: RuleFile = { path: path || `agent ${name}`, text: words, trust, cutBytes };
  return {
    read: async nested => [...(await rules.read(nested)), own],
    nested: file => rules.nested(file),
    get imported() {
      return rules.imported;
    },
  };
}
