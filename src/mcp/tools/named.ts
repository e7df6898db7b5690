/** `*` stands for any part */
export const isNamed = (patterns: readonly string[], name: string): boolean =>
  patterns.some(pattern => {
    const parts = pattern.split("*").map(part => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return new RegExp(`^${parts.join(".*")}$`, "s").test(name);
  });
