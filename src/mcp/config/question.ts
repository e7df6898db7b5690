/** What a person has to agree to before a workspace's server starts. */
import type { Json } from "../../shared/messages";
import type { OAuthClient, ServerConfig } from "./serverConfig";
import { namedEnvironment, openVariables, plainVariables, usualInputs } from "./variables";

const clientOf = ({ clientSecret, ...client }: OAuthClient, folder: string | undefined): Json => ({
  ...client,
  ...(clientSecret !== undefined && { clientSecret: openVariables(clientSecret, folder) || "one of its own" }),
});

/** Its exact command or address, and what it may see: names, and values of what makes it run something else. @param envFile the text of its `envFile` */
export function startQuestion(config: ServerConfig, envFile = ""): { reason: string; detail: Json } {
  const { launch, origin } = config;
  const plain = (text: string) => plainVariables(text, origin.folder);
  const environment = namedEnvironment(config, envFile);
  const inputs = usualInputs(config);
  const detail: Json =
    launch.type === "stdio"
      ? {
          command: plain(launch.command),
          args: launch.args.map(plain),
          folder: plain(launch.cwd ?? origin.folder ?? "~"),
          environment,
        }
      : {
          address: plain(launch.url),
          headers: environment,
          ...(launch.oauth && { signInAs: clientOf(launch.oauth, origin.folder) }),
        };
  return {
    reason: `${origin.shown} of this workspace names it, and you have not agreed to it yet; your yes holds until it is changed there`,
    detail: { server: config.name, ...detail, ...(Object.keys(inputs).length > 0 && { inputs }) },
  };
}
