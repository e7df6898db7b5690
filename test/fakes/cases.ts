/**
 * How many cases a property is tried with. `npm test` (and CI) tries all of them; `npm run check`, which is run every few
 * minutes, a tenth.
 */
export const cases = (all: number): number => (process.env.STRATA_FEWER_CASES ? Math.ceil(all / 10) : all);
