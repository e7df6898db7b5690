import { errno } from "./errno";

/** Also one of another user, to whom no signal may be sent. A pid may have been given to another process since. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errno(error) !== "ESRCH";
  }
}
