/** Work of the editor that is not waited for without end. */

/** Settles as `work` does; "late": it did not settle in time, and what becomes of it is told to nobody. @param within ms */
export async function withTimeout<T>(work: () => PromiseLike<T>, within: number): Promise<T | "late"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"late">(resolve => {
    timer = setTimeout(() => resolve("late"), within);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
