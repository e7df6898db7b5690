/** A codicon. Decoration: the words beside it, or its button's label, say what it means. */
export function Icon({ name, className = "" }: { name: string; className?: string }) {
  return <span className={`codicon codicon-${name} ${className}`} aria-hidden="true" />;
}
