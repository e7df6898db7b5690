/**
 * The formats that others rely on (logs on disk, `--json`, the panel): one line for each member of each union, written once
 * by hand. A change that breaks a line breaks a session that someone has.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { z } from "zod";
import { agentEventSchema } from "../../src/shared/events";
import { manifestSchema } from "../../src/shared/manifest";
import { hostToPanelSchema, type PanelMethod, panelRequests, panelToHostSchema } from "../../src/shared/panelProtocol";
import { headerSchema, recordSchema } from "../../src/shared/records";

function golden(name: string): { text: string; value: Record<string, unknown> }[] {
  const lines = readFileSync(`test/golden/${name}.jsonl`, "utf8").trimEnd().split("\n");
  return lines.map(text => ({ text, value: JSON.parse(text) }));
}

/** Every line parses to itself, nothing dropped; every member of the union has a line. */
function check(name: string, schema: z.ZodType, tag: string, members: Iterable<unknown>) {
  const lines = golden(name);
  for (const { text, value } of lines) assert.equal(JSON.stringify(schema.parse(value)), JSON.stringify(value), text);
  assert.deepEqual([...new Set(lines.map(({ value }) => value[tag]))].sort(), [...members].sort());
}

const tags = (schema: z.ZodDiscriminatedUnion, tag: string) =>
  schema.options.map(option => (option as z.ZodObject<Record<string, z.ZodLiteral>>).shape[tag]!.value);

describe("golden formats", () => {
  it("records of the log, version 1", () => check("records.v1", recordSchema, "kind", tags(recordSchema, "kind")));
  it("events, version 1", () => check("events.v1", agentEventSchema, "type", tags(agentEventSchema, "type")));
  it("host to panel, version 1", () => check("panel.v1", hostToPanelSchema, "type", tags(hostToPanelSchema, "type")));
  it("manifests, version 1", () => check("manifests.v1", manifestSchema, "version", [1]));
  it("panel to host, version 1", () => {
    check("panel-requests.v1", panelToHostSchema, "method", Object.keys(panelRequests));
    for (const { value } of golden("panel-requests.v1")) {
      assert.deepEqual(panelRequests[value.method as PanelMethod].params.parse(value.params), value.params);
    }
  });
  it("header of the log, version 1", () => {
    const header = { kind: "header", version: 1, sessionId: "ses_1", created: 1767225600000, archives: [] };
    assert.deepEqual(headerSchema.parse(header), header);
  });
});
