/** A word as shells of POSIX take it, whatever stands in it. */
export const shellQuoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
