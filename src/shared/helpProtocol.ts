/** What the panel's help asks the host for: the keys that package.json gives to commands. */
import * as z from "zod";

/** Where in VS Code such a key holds. */
const keyPlaces = ["panel", "editor", "review", "proposal", "plan", "prompt", "elsewhere"] as const;

const commandKeySchema = z.object({
  place: z.enum(keyPlaces),
  /** of the command, in the person's language */
  title: z.string(),
  /** as package.json writes them: "ctrl+k a" */
  key: z.string(),
  mac: z.string().optional(),
});
export type CommandKey = z.infer<typeof commandKeySchema>;

export const helpRequests = {
  commandKeys: { params: z.object({}), result: z.object({ keys: z.array(commandKeySchema) }) },
} as const;
