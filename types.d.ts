/** Prompts are text files that the bundler inlines (`loader: { ".md": "text" }`). */
declare module "*.md" {
  const text: string;
  export default text;
}

/** Windows and prices of models, as JSON (scripts/lib/modelData.mjs): the bundler makes it. */
declare module "#model-data" {
  const json: string;
  export default json;
}
