/** Saves that end: formatters may take their time, a dialog that nobody sees or a file system that hangs may not. */
import { withTimeout } from "./withTimeout";

/** ms */
const SAVE_MS = 30_000;

/** Never rejects. `why`: it was not saved. @param within ms */
export async function saveWithTimeout(
  save: () => PromiseLike<boolean>,
  within = SAVE_MS,
): Promise<{ saved: boolean; why?: string }> {
  try {
    const saved = await withTimeout(save, within);
    if (saved === "late") return { saved: false, why: `VS Code did not finish within ${within / 1000} s` };
    return saved ? { saved } : { saved, why: "VS Code could not save it" };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return { saved: false, why: `VS Code could not save it (${words})` };
  }
}
