import * as z from "zod";

/** A request of the panel that gives something: the fields that it takes, and what comes back. */
export const ask = <Fields extends z.core.$ZodLooseShape, Result extends z.ZodType>(
  fields: Fields,
  result: Result,
) => ({
  params: z.object(fields),
  result,
});

/** One that does something. */
export const act = <Fields extends z.core.$ZodLooseShape>(fields: Fields) => ask(fields, z.object({}));
