/** 38 long outputs as programs print them, and the 102 strings in them that matter. */
import { compilers } from "./compilers";
import type { Output } from "./kit";
import { languages } from "./languages";
import { operations } from "./operations";
import { testRuns } from "./testRuns";

export const outputs = (): Output[] => [...compilers(), ...testRuns(), ...operations(), ...languages()];
