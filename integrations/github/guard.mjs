/**
 * Whether the event that started this workflow may start Strata: by what GitHub says of the author, never by a name. Prints why not, and
 * ends with 1. Whoever can start it can spend the key, and write what the model reads.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** By these somebody with write access starts a workflow, or its file in the default branch does. */
const STARTED = ["push", "schedule", "workflow_dispatch"];
/** These have words of an author in them. */
const WRITTEN = ["issues", "issue_comment", "pull_request", "pull_request_review", "pull_request_review_comment"];
const TRUSTED = ["OWNER", "MEMBER", "COLLABORATOR"];

/** @returns {string | undefined} why not */
export function refusal(name, event) {
  if (![...STARTED, ...WRITTEN].includes(name))
    return `Strata is not started by ${name}. It gives secrets to what others wrote, or nothing is known of its author.`;
  if (event.sender?.type === "Bot") return "Strata is not started by bots: anyone can have one.";
  if (STARTED.includes(name)) return undefined;
  const from = event.pull_request?.head?.repo?.full_name;
  if (event.pull_request && from !== event.repository?.full_name)
    return "Strata does not work on pull requests from forks.";
  // A comment does not say whose branch it is about.
  if (event.issue?.pull_request)
    return "Strata is not started by comments on pull requests: their branch may be a fork's.";
  const written = event.comment ?? event.review ?? event.issue ?? event.pull_request;
  if (TRUSTED.includes(written?.author_association)) return undefined;
  return `Strata is started by ${TRUSTED.join(", ")} alone, and the author is ${written?.author_association ?? "unknown"}.`;
}

/** What actions/checkout leaves for later steps could be read by every command of the agent. */
export function tokenInCheckout(folder) {
  const kept =
    "^(http\\..*\\.extraheader|core\\.sshcommand|credential\\..*helper|credential\\.helper|url\\..*\\.insteadof)$";
  const args = [
    "-C",
    folder,
    "-c",
    "safe.directory=*",
    "config",
    "--local",
    "--includes",
    "--name-only",
    "--get-regexp",
    kept,
  ];
  const { status } = spawnSync("git", args, { stdio: "ignore" });
  // 1: none is set
  return status === 1 ? undefined : "The checkout holds a token. Give actions/checkout persist-credentials: false.";
}

if (import.meta.main) {
  const { GITHUB_EVENT_NAME = "", GITHUB_EVENT_PATH = "", STRATA_WORKSPACE = "." } = process.env;
  const event = JSON.parse(readFileSync(GITHUB_EVENT_PATH, "utf8"));
  const why = refusal(GITHUB_EVENT_NAME, event) ?? tokenInCheckout(STRATA_WORKSPACE);
  if (why) console.error(why);
  if (why) process.exitCode = 1;
}
