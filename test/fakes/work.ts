import { Session } from "node:inspector/promises";

/** How often the code of tests and of what they test was called, and its loops went round: the same on a busy machine. */
export async function workOf(run: () => void): Promise<number> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  run();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  await session.post("Profiler.stopPreciseCoverage");
  session.disconnect();
  return result
    .filter(({ url }) => url.startsWith("file:") && !url.includes("node_modules"))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
    .reduce((sum, { count }) => sum + count, 0);
}
