/** Names for the parts of the SDK's model interface, which its package does not export. */
import type { LanguageModel } from "ai";

export type SdkModel = Extract<LanguageModel, { specificationVersion: "v4" }>;
export type SdkCallOptions = Parameters<SdkModel["doStream"]>[0];
export type SdkPrompt = SdkCallOptions["prompt"];
export type SdkTool = NonNullable<SdkCallOptions["tools"]>[number];
export type SdkProviderOptions = NonNullable<SdkCallOptions["providerOptions"]>;

export type SdkMessage = SdkPrompt[number];
export type SdkPart = Exclude<SdkMessage["content"], string>[number];
export type SdkUserMessage = Extract<SdkMessage, { role: "user" }>;
export type SdkUserPart = SdkUserMessage["content"][number];
export type SdkTextPart = Extract<SdkUserPart, { type: "text" }>;
export type SdkFilePart = Extract<SdkUserPart, { type: "file" }>;
export type SdkAssistantPart = Extract<SdkMessage, { role: "assistant" }>["content"][number];

type SdkStream = Awaited<ReturnType<SdkModel["doStream"]>>["stream"];
export type SdkStreamPart = SdkStream extends ReadableStream<infer Part> ? Part : never;
export type SdkFinish = Extract<SdkStreamPart, { type: "finish" }>;
