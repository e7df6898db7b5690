/** Git in a folder, as somebody with a name. */
import { execFileSync } from "node:child_process";

const NOBODY = ["-c", "user.name=T", "-c", "user.email=t@example.com", "-c", "commit.gpgSign=false"];

/** @returns what it prints */
export const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", [...NOBODY, ...args], { cwd, encoding: "utf8", stdio: "pipe" });
