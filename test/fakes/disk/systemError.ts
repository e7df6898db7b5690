/** An error as the operating system gives it: `code` is ENOSPC, EIO, …. */
export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: from the modelled disk`), { code });
}
