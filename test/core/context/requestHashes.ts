import { createHash } from "node:crypto";
import fc from "fast-check";
import { canonicalJson } from "../../../src/core/context/compose";
import { courses, live, requestOf } from "./anySession";

/**
 * Of the last request of sessions of any course, a hash each.
 * @param memo the requests before it are assembled too, and what is remembered of one serves the next, as in a session
 */
export function requestHashes(seed: number, numRuns: number, memo: boolean): string[] {
  return fc.sample(courses, { seed, numRuns }).map(course => {
    const remembered = new WeakMap();
    let at = 0;
    for (const conversation of live(course)) {
      at += 1;
      if (!memo && at < course.length) continue;
      const request = requestOf(conversation, remembered);
      if (at < course.length) continue;
      const { segments, sha256 } = request;
      return createHash("sha256")
        .update(JSON.stringify([canonicalJson(request), sha256, segments]))
        .digest("hex");
    }
    return "nothing happened";
  });
}
