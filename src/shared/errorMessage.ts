/** What a failure says, whatever was thrown. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** For `catch`: what becomes of errors of this kind; all others are thrown again. */
export const onlyFor =
  <E, T>(kind: abstract new (...args: never[]) => E, act: (error: E) => T) =>
  (error: unknown): T => {
    if (error instanceof kind) return act(error);
    throw error;
  };
