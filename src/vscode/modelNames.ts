/** The models that a server lists (`GET /models`, as OpenAI and the servers like it have it). */
import * as z from "zod";

const listSchema = z.object({ data: z.array(z.object({ id: z.string() })) });
const TIMEOUT_MS = 5_000;

/** Sorted; undefined: the server gives no such list, or not in time. Never rejects. */
export async function modelNames(
  baseUrl: string,
  key: string | undefined,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  try {
    const response = await fetch(`${baseUrl}/models`, {
      headers: key ? { authorization: `Bearer ${key}` } : {},
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const list = listSchema.safeParse(response.ok ? await response.json() : undefined);
    return list.success ? list.data.data.map(model => model.id).sort() : undefined;
  } catch {
    // Whatever it was, the name can still be typed; the connection check says what is wrong.
    return undefined;
  }
}
