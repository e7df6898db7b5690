/** `strata verify` and `strata show --request`: read only, they change nothing. */

import { canonicalJson } from "../core/context/compose";
import type { Hash, SessionStorage } from "../core/ground/ports";
import { factsReport } from "../core/proof/facts";
import { rebuildRequest, requestText } from "../core/proof/rebuild";
import { defectLine, proofReport, saidReport } from "../core/proof/report";
import { verifySession } from "../core/proof/verify";
import { t } from "../shared/l10n";
import { printableJson } from "../shared/shown";
import type { Streams } from "./eventPrinter";
import { EXIT, jsonLine, printReport } from "./output";
import { withFiles } from "./sessions";

interface VerifyArgs {
  session: string;
  json: boolean;
}

/**
 * Exit code: 0 all proven, 1 something is not as it was sent. Rejects with StorageError and the errors of opening a log.
 * @param facts what the person said is listed instead, and what of it is in the newest request
 */
export function verify(
  storage: SessionStorage,
  hash: Hash,
  { session, json, facts }: VerifyArgs & { facts?: boolean },
  { out }: Streams,
): Promise<number> {
  return withFiles(storage, session, async files => {
    if (facts) {
      const said = await factsReport(files, hash);
      if (json) out(jsonLine(said));
      else printReport(saidReport(said), { out });
      return EXIT.done;
    }
    const report = await verifySession(files, hash);
    if (json) out(jsonLine(report));
    else printReport(proofReport(report), { out });
    return report.defects.length === 0 ? EXIT.done : EXIT.error;
  });
}

/** Exit code as `verify` has it. Rejects with NoRequestError too. */
export function showRequest(
  storage: SessionStorage,
  hash: Hash,
  { session, json, request }: VerifyArgs & { request: number },
  { out, err }: Streams,
): Promise<number> {
  return withFiles(storage, session, async files => {
    const rebuilt = await rebuildRequest(files, hash, request);
    if (!json) out(requestText(rebuilt));
    else if (rebuilt.content) out(`${printableJson(canonicalJson(rebuilt.content))}\n`);
    else err(t("The request cannot be rebuilt, so there is no JSON of it.\n"));
    for (const defect of rebuilt.defects) err(`! ${defectLine(defect).label}\n`);
    return rebuilt.defects.length === 0 ? EXIT.done : EXIT.error;
  });
}
