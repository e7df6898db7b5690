/**
 * The product as it is built, for tests that run it. A run that has built it says where, by STRATA_DIST; for a test that is
 * run by itself it is built then, by each process for itself.
 */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./install.mjs";

/** @type {Promise<string> | undefined} */
let built;

/** @returns {Promise<string>} the folder, as buildProduct fills it */
export function builtProduct() {
  const { STRATA_DIST: dist } = process.env;
  built ??= dist ? Promise.resolve(dist) : build();
  return built;
}

async function build() {
  const around = mkdtempSync(join(tmpdir(), "strata-built-"));
  process.once("exit", () => rmSync(around, { recursive: true, force: true }));
  const { buildProduct } = await import("../../esbuild.mjs");
  const folder = join(around, "dist");
  await buildProduct(folder);
  // As in the package: translations stand beside it.
  cpSync(join(root, "l10n"), join(around, "l10n"), { recursive: true });
  return folder;
}

/**
 * What makes pictures fit, alone.
 * @param {string} folder where it goes when no run has built the product
 * @returns {Promise<string>} the program
 */
export async function builtPictureWorker(folder) {
  const { STRATA_DIST: dist } = process.env;
  if (dist) return join(dist, "pictureWorker.js");
  const { buildPictureWorker } = await import("../../esbuild.mjs");
  const program = join(folder, "pictureWorker.js");
  await buildPictureWorker(program);
  return program;
}
