/** Which tool, picture or thought a refusal means, as servers say it. */
import assert from "node:assert/strict";
import { refusalOf } from "../../src/models/failure";
import { LeftOut } from "../../src/models/leftOut";

type Params = Parameters<LeftOut["takeOut"]>[0];

const names = ["Read", "Edit", "Bash", "mcp__github__search", "mcp__db__run_query", "mcp__weather__now"];
const tools = names.map(name => ({ type: "function", name, description: name, inputSchema: { type: "object" } }));
const picture = (name: string, bytes: number) => [
  { type: "text", text: `Image of ${name}:` },
  { type: "file", mediaType: "image/png", data: { type: "data", data: `${name}${"A".repeat(bytes)}` } },
];
const prompt = [
  { role: "system", content: "x".repeat(1000) },
  { role: "user", content: [{ type: "text", text: "Look." }, ...picture("old.png", 4000)] },
  { role: "user", content: [...picture("new.png", 4000), ...picture("newer.png", 4000)] },
];
const place = (params: object = { prompt, tools }) => {
  const leftOut = new LeftOut();
  leftOut.takeOut(params as Params);
  return leftOut;
};

const ofTools: [words: string, tools: string[], param?: string][] = [
  [
    "tools.4.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level",
    ["mcp__db__run_query"],
  ],
  [
    "Invalid schema for function 'mcp__github__search': In context=('properties', 'a'), array schema missing items.",
    ["mcp__github__search"],
  ],
  ["Invalid 'tools[5].function.parameters': not a schema.", ["mcp__weather__now"]],
  ["Invalid schema.", ["mcp__db__run_query"], "tools[4].parameters"],
  [
    "* GenerateContentRequest.tools[0].function_declarations[5].parameters.properties[a].items: missing field.",
    ["mcp__weather__now"],
  ],
  [
    '[{"type":"missing","loc":["body","tools",4,"function","parameters"],"msg":"Field required"}]',
    ["mcp__db__run_query"],
  ],
  ["tools.3.custom: bad; tools.5.custom: bad", ["mcp__github__search", "mcp__weather__now"]],
  ["工具 mcp__weather__now 的参数不合法", ["mcp__weather__now"]],
  // ours, or none
  ["tools.0.custom.name: String should have at most 64 characters", []],
  ["tools.77.custom.input_schema: JSON schema is invalid", []],
  ["messages.3: tool_use ids were found without tool_result blocks", []],
];

const ofPictures: [words: string, status: number, pictures: string[]][] = [
  [
    "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6189756 bytes > 5242880 bytes",
    400,
    ["new.png", "newer.png"],
  ],
  ["Could not process image", 400, ["new.png", "newer.png"]],
  ["cannot identify image file <_io.BytesIO object at 0x7f>", 500, ["new.png", "newer.png"]],
  ["Too many images in request: 3 > 2", 400, ["old.png", "new.png"]],
  ["At most 2 image(s) may be provided in one prompt.", 400, ["old.png", "new.png"]],
  ["Payload Too Large", 413, ["new.png", "newer.png"]],
  ["prompt is too long: 208310 tokens > 200000 maximum", 400, []],
  ["Total tokens of image and text exceed max message tokens", 400, []],
];

/** Thoughts that were signed or sealed elsewhere, or parted from what they belong to. */
const ofThoughts: [words: string, areMeant: boolean, label?: string][] = [
  ["messages.1.content.0: Invalid `signature` in `thinking` block", true],
  [
    "messages.3.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.",
    true,
  ],
  [
    "The encrypted content gAAAAABo could not be verified. Reason: Encrypted content could not be decrypted or parsed.",
    true,
  ],
  ["Invalid encrypted content.", true, "invalid_encrypted_content"],
  ["Item 'rs_0a1b' of type 'reasoning' was provided without its required following item.", true],
  ["Item 'fc_0a1b' of type 'function_call' was provided without its required 'reasoning' item: 'rs_0a1b'.", true],
  ["Item with id 'rs_0a1b' not found. Items are not persisted when `store` is set to false.", true],
  ["Thought signature is not valid", true],
  ["Function call is missing a thought_signature in functionCall parts.", true],
  ["thinking.budget_tokens: Input should be greater than or equal to 1024", false],
  ["max_tokens must be greater than thinking.budget_tokens", false],
  ["The request signature we calculated does not match the signature you provided.", false],
];

const thoughtful = [
  { role: "user", content: [{ type: "text", text: "Go." }] },
  {
    role: "assistant",
    content: [
      { type: "reasoning", text: "Hm.", providerOptions: { anthropic: { signature: "sig" } } },
      { type: "text", text: "Fact.", providerOptions: { openai: { itemId: "msg_1" } } },
      {
        type: "tool-call",
        toolCallId: "c1",
        toolName: "Read",
        input: {},
        providerOptions: { google: { thoughtSignature: "g" }, openai: { itemId: "fc_1" } },
      },
    ],
  },
];

const facts = (words: string, status = 400, param?: string) => ({ status, words, labels: "", headers: {}, param });

describe("refused parts", () => {
  const partKeys = (words: string, status = 400, param?: string) => {
    const refused = refusalOf(facts(words, status, param), place()).left;
    return { refused, keys: typeof refused?.part === "object" && "keys" in refused.part ? refused.part.keys : [] };
  };

  for (const [words, wanted, param] of ofTools) {
    it(words, () => {
      const { keys } = partKeys(words, 400, param);
      assert.deepEqual(
        keys.map(key => key.split(" ")[0]),
        wanted,
      );
    });
  }

  for (const [words, status, wanted] of ofPictures) {
    it(`${words} (${status})`, () => {
      const { refused, keys } = partKeys(words, status);
      assert.equal(keys.length > 0, wanted.length > 0);
      for (const name of ["old.png", "new.png", "newer.png"])
        assert.equal(new RegExp(`(?<!\\w)${name}`).test(refused?.what ?? ""), wanted.includes(name), refused?.what);
    });
  }

  for (const [words, areMeant, labels = ""] of ofThoughts) {
    it(`${words}: ${areMeant ? "the thoughts go" : "no thought goes"}`, () => {
      const params = { prompt: thoughtful, tools } as unknown as Params;
      const thought = place(params);
      const refused = refusalOf({ ...facts(words), labels }, thought).left;
      assert.equal(typeof refused?.part === "object" && "keys" in refused.part, areMeant);
      if (!refused || !areMeant) return;
      thought.add(refused.part);
      const { prompt: goes } = thought.takeOut(params);
      assert.doesNotMatch(JSON.stringify(goes), /Hm|sig|thoughtSignature|itemId/);
      assert.match(JSON.stringify(goes), /Fact.*"toolCallId":"c1"/);
      // They are gone: said again, it means something else.
      assert.equal(refusalOf({ ...facts(words), labels }, thought).left, undefined);
    });
  }

  it("a schema that nobody names has all described more simply, once", () => {
    for (const words of ["JSON schema conversion failed: Unrecognized schema", "failed to parse grammar"]) {
      const at = place();
      assert.equal(refusalOf(facts(words), at).left?.part, "schemas", words);
      at.add("schemas");
      assert.equal(refusalOf(facts(words), at).left, undefined);
    }
  });
});
