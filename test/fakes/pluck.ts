/** One field of each: an assertion about a list stays on a line. */
export const pluck = <T, K extends keyof T>(list: Iterable<T>, key: K): T[K][] => Array.from(list, each => each[key]);
