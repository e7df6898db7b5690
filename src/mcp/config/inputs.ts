/** Inputs in the terminal: from the environment, from what was typed before, or asked of a person who sits there. */
import type { SecretTexts } from "./secretTexts";
import type { InputSpec } from "./serverConfig";
import { McpError, type VariableSources } from "./variables";

interface InputDeps {
  environment: VariableSources["environment"];
  /** where what was typed is kept */
  secrets: SecretTexts;
  /** Asks a person; absent: nobody is there, or the terminal is in use. undefined: they gave no answer */
  ask?(spec: InputSpec, server: string): Promise<string | undefined>;
  learn?(value: string): void;
}

/** `STRATA_MCP_INPUT_TOKEN` for `${input:token}` comes first. Rejects with McpError where there is no answer. */
export function terminalInput({ environment, secrets, ask, learn }: InputDeps): VariableSources["input"] {
  return async (spec, { name, origin }) => {
    const variable = `STRATA_MCP_INPUT_${spec.id.replace(/\W/g, "_").toUpperCase()}`;
    const key = `strata.mcp.input:${spec.id}@${origin.file}`;
    const known = environment[variable] ?? (await secrets.get(key));
    const typed = known ?? (await ask?.(spec, name));
    const value = typed ?? spec.default;
    if (value === undefined) {
      const how = ask ? "" : `, or run strata mcp check ${name} in a terminal, which asks for it once`;
      throw new McpError(`The server ${name} needs its input "${spec.id}": set ${variable}${how}.`);
    }
    if (known === undefined && typed !== undefined) await secrets.set(key, typed);
    learn?.(value);
    return value;
  };
}
