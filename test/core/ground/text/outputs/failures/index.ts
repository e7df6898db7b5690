/** Runs with many failures. */
import { builds } from "./builds";
import { checks } from "./checks";
import type { Failures } from "./kit";
import { more } from "./more";
import { neighbours } from "./neighbours";
import { others } from "./others";
import { scripts } from "./scripts";

/** of mocha, jest, vitest, pytest, go, cargo, Maven, Gradle, .NET, ctest, tsc, eslint, biome, rspec and PHPUnit */
export const manyFailures = (count: number): Failures[] => [...scripts(count), ...builds(count), ...checks(count)];

/** of other programs, and of the same ones called in other ways */
export const otherFailures = (count: number): Failures[] => [...others(count), ...more(count), ...neighbours(count)];
