/** Prompts are text with `{{name}}` places; a name too many or too few is a mistake of ours and throws. */

/** @throws Error for a variable that is missing or was never asked for */
export function render(template: string, variables: Record<string, string>): string {
  const used = new Set<string>();
  const text = template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = variables[name];
    if (value === undefined) throw new Error(`prompt variable ${name} is missing`);
    used.add(name);
    return value;
  });
  const unknown = Object.keys(variables).filter(name => !used.has(name));
  if (unknown.length > 0) throw new Error(`prompt variable ${unknown.join(", ")} is not in the prompt`);
  return text.trim();
}
