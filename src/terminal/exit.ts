/** What the process says with its exit code. */
export const EXIT = { done: 0, error: 1, usage: 2, approval: 3, stopped: 130 } as const;
