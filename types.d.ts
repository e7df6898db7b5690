/** Prompts are text files that the bundler inlines (`loader: { ".md": "text" }`). */
declare module "*.md" {
  const text: string;
  export default text;
}
