/** Checks what a tool gives back against the schema that its server declared. Both are the server's, so neither may do harm. */
import type { ClientOptions } from "@modelcontextprotocol/client";

type Validator = NonNullable<ClientOptions["jsonSchemaValidator"]>;

const MAX_SCHEMA_CHARACTERS = 100_000;
const MAX_DEPTH = 60;
/** What looks at texts with expressions of the server's may take for ever. */
const COSTLY = new Set(["pattern", "patternProperties", "format"]);

/** A schema that cannot be used checks nothing: what the tool gave back is worth more than its schema. */
export async function outputValidator(): Promise<Validator> {
  const { AjvJsonSchemaValidator } = await import("@modelcontextprotocol/client/validators/ajv");
  return {
    getValidator<T>(schema: Parameters<Validator["getValidator"]>[0]) {
      const passes = (input: unknown) => ({ valid: true as const, data: input as T, errorMessage: undefined });
      try {
        if (JSON.stringify(schema).length > MAX_SCHEMA_CHARACTERS) return passes;
        const check = new AjvJsonSchemaValidator().getValidator<T>(harmless(schema, 0) as typeof schema);
        return input => {
          try {
            return check(input);
          } catch {
            // It refers to itself without an end.
            return passes(input);
          }
        };
      } catch {
        return passes;
      }
    },
  };
}

function harmless(value: unknown, depth: number, under = ""): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) return {};
  if (Array.isArray(value)) return value.map(item => harmless(item, depth + 1));
  const isSchema = under !== "properties";
  // Without the names that it allows by an expression, what it forbids beside them says too much.
  const dropped = isSchema && "patternProperties" in value ? [...COSTLY, "additionalProperties"] : COSTLY;
  const kept = Object.entries(value).filter(([key]) => !isSchema || !new Set(dropped).has(key));
  return Object.fromEntries(kept.map(([key, item]) => [key, harmless(item, depth + 1, key)]));
}
