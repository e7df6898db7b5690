/** The model: settings → connection → request → failure. */
import type { LanguageModel } from "ai";
import type { Json, ModelPrices } from "../../../shared/messages";
import type { Settings } from "../../../shared/settings";
import type { TurnAction } from "../../../shared/turnEnd";

export type ModelFailureCode =
  | "no-model"
  | "auth"
  | "unknown-model"
  | "rate-limit"
  | "server"
  | "context-too-long"
  | "timeout"
  | "refused"
  | "cut"
  | "bad-answer"
  | "unreadable-call"
  | "no-tools"
  | "bad-request";

/**
 * Parts that a request can go without. `summary`: of reasoning. `system`: the role; its text stays. `turns`: consecutive user
 * messages. `schemas`: all but names, types and words. `past-thoughts`: reasoning of earlier steps. `bare-steps`: steps
 * without a reasoning field get an empty one. `late-thinking`: reasoning that starts after a step without it.
 */
export type OptionalKind =
  | "images"
  | "reasoning"
  | "summary"
  | "usage"
  | "system"
  | "turns"
  | "schemas"
  | "past-thoughts"
  | "bare-steps"
  | "late-thinking";
/**
 * What a request can go without: a kind; some pictures, tools or thoughts, each by its key; an answer of more tokens than `answer`,
 * or than what of the window is left beside a request of so many tokens a character.
 */
export type OptionalPart =
  | OptionalKind
  | { keys: readonly string[] }
  | { answer: number }
  | { window: number; perCharacter: number };

/** Why a request failed, for the loop and for people. Never carries a key. */
export interface ModelFailure {
  code: ModelFailureCode;
  /** one sentence: what happened */
  message: string;
  /** the server's own words, and what no action does */
  details?: string;
  /** what helps most; absent: another model, or trying again */
  remedy?: TurnAction;
  retryable: boolean;
  /** what the server asks to wait, ms */
  retryAfterMs?: number;
  /** The server refuses it: trying again helps where the connection leaves it out. */
  refused?: OptionalPart;
  /** what the person is told of that; absent: nothing that they would notice */
  notice?: string;
  /** HTTP status where there was one */
  status?: number;
}

type ProviderOptions = Record<string, Record<string, Json>>;

type SdkModel = Extract<LanguageModel, { specificationVersion: "v4" }>;
type SdkStream = Awaited<ReturnType<SdkModel["doStream"]>>["stream"];

/** A request as the SDK's interface of a model takes it. */
export type ModelCall = Parameters<SdkModel["doStream"]>[0];
/** A part of an answer, as that interface has it. `text-was-thought`: the text so far was one, and goes back to no model. */
export type AnswerPart = (SdkStream extends ReadableStream<infer Part> ? Part : never) | { type: "text-was-thought" };

/** What is used of that interface: answers are streamed, and models of its packages have it as they are. */
export interface StreamedModel {
  doStream(call: ModelCall): PromiseLike<{ stream: AsyncIterable<AnswerPart> }>;
}

/** Reads more of one answer than its package does. */
export interface AnswerReader {
  /** in the part's place */
  read(part: AnswerPart): readonly AnswerPart[];
  /** The model continues with text that is not its own: the rest does not count. */
  readonly isOver?: boolean;
}

export interface ModelIdentity {
  /** name as the server knows it */
  readonly name: string;
  /** where requests go, for people */
  readonly address: string;
  /** whose interface is spoken: the name of its row in the table of providers; absent: not known */
  readonly provider?: string;
}

export interface ModelConnection extends ModelIdentity {
  /** what its thoughts and signed calls are marked with, in few characters; absent: with nothing */
  readonly mark?: string;
  /** for the person, a sentence */
  readonly warning?: string;
  /** `react`: tools are written into the instructions; calls and results travel as text. Absent: tools travel as tools. */
  readonly protocol?: "react";
  /** The same model over the text protocol, for one that refuses tools; that it does is remembered as long as the process lives. Absent: tools it is. */
  withoutTools?(): ModelConnection;
  /** tokens, by the setting or as known */
  readonly contextWindow: number;
  /** Neither says it: it is the default. */
  readonly isWindowGuessed?: true;
  /** What its server says that it was started with, in tokens; undefined: it does not. Absent: it is not asked. Never rejects. */
  readonly learnWindow?: () => Promise<number | undefined>;
  /** What it costs at a time; undefined: unknown. Asked for after the answer. Absent: likewise. Never rejects. */
  readonly pricesAt?: (at: Date) => Promise<ModelPrices | undefined>;
  /** undefined leaves it to the server */
  readonly maxOutputTokens?: number;
  /** Passed on as they are (`store: false`, reasoning effort); part of the manifest. */
  readonly providerOptions: ProviderOptions;
  /** how much it thinks, in the SDK's words; absent: as the provider has it. Part of the manifest. */
  readonly reasoning?: "none" | "minimal" | "low" | "medium" | "high";
  /** Marks a message up to which the provider is to cache; absent: it caches by itself, or not at all. */
  readonly cachePoint?: ProviderOptions;
  /**
   * What the reasoning of an answer is bound to; absent: nothing. `prefix`: the messages before it, without the tail. `request`:
   * everything before it; the provider rejects it after a change.
   */
  readonly reasoningBinding?: "prefix" | "request";
  /** the option of a provider that takes the session's id: requests of one session meet the same cache */
  readonly sessionOption?: { provider: string; name: string };
  /** false: pictures are known to be nothing to it, and are named instead of sent */
  readonly seesImages?: boolean;
  /** ms without a byte after which a request failed */
  readonly timeoutMs: number;
  /** characters of an answer, its calls' input included, after which it is cut off */
  readonly maxAnswerLength: number;
  /**
   * A model for one request. `beforeSend` is awaited with the sha256 of the HTTP body (null without HTTP) before the first byte
   * leaves; a rejection stops the request. `onBytes` is called for all bytes of the answer: time-outs are measured by it.
   */
  open(beforeSend: (bodySha256: string | null) => Promise<void>, onBytes?: () => void): StreamedModel;
  /** For one answer. Absent: it is taken as its package reads it. `wasAsked`: whether it means a call that it wrote as text. */
  answerReader?(tools: readonly { name: string; inputSchema: object }[], wasAsked?: boolean): AnswerReader;
  /** From now on no request to this model has it. absent: there is nothing that could be left out. */
  leaveOut?(part: OptionalPart): void;
  /** `silentMs`: how long nothing had been heard. Never throws: what it cannot name is `bad-answer` with the error's own words. */
  explain(error: unknown, silentMs?: number): ModelFailure;
}

/** A model other than the settings', or the same asked otherwise; absent fields are as they have them. */
export interface ModelChoice {
  /** as the provider that is set knows it, or with whose it is: `anthropic:claude-…` */
  name?: string;
  reasoning?: Settings["model.reasoning"];
  /** tokens */
  contextWindow?: number;
}

export interface Models {
  /** The model as settings and secrets stand now. Rejects with NoModelError where none is set up. */
  connect(choice?: ModelChoice): Promise<ModelConnection>;
}

export interface FitPicture {
  bytes: Uint8Array;
  /** by its bytes, not by its name */
  mediaType: string;
  /** what was done to it; absent: nothing */
  note?: string;
}

export interface Pictures {
  /** At most 5 MB as base64, 2,000 pixels a side. `why` it cannot be had so. Never rejects. */
  fit(bytes: Uint8Array): Promise<FitPicture | { why: string }>;
}
