/**
 * How many random cases a property is tried with: a tenth in `npm run check` and `npm test`, which people wait for, all of
 * them in `npm run soak`.
 */
export const cases = (all: number): number => (process.env.STRATA_SOAK ? all : Math.ceil(all / 10));
