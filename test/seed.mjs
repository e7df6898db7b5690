/**
 * Loaded by mocha before the tests: `npm test` and `npm run check` try the same random cases each time, so that a change is
 * judged by what it changed; `npm run soak -- random` tries others each time. What fails there names its seed.
 */
import fc from "fast-check";

if (!/\brandom\b/.test(process.env.STRATA_SOAK ?? "")) fc.configureGlobal({ seed: 1 });
