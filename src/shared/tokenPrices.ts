/** What tokens cost. US dollars for a million of them throughout. */
import * as z from "zod";

const price = z.number().min(0).max(1_000_000);

/** `cachedInput`, `cacheWrite`: of input that the provider had in its cache, or puts there; absent: as other input. */
export const tokenPricesSchema = z.object({
  input: price,
  output: price,
  cachedInput: price.optional(),
  cacheWrite: price.optional(),
});
export type TokenPrices = z.infer<typeof tokenPricesSchema>;

/** What a model's tokens cost. `dearer`: with more than `above` tokens of input, the whole request costs that; in order. */
export interface ModelPrices extends TokenPrices {
  readonly dearer: readonly (TokenPrices & { above: number })[];
}
