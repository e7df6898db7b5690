export function partsOf(path: string): string[] {
  return path.split(/[\\/]/).filter(Boolean);
}
