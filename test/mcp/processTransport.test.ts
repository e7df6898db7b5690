import assert from "node:assert/strict";
import { ProcessTransport } from "../../src/mcp/connection/processTransport";
import { nodeClock } from "../../src/node/system";

describe("a server's process", () => {
  it("that was killed is told by its end, not by the write that failed before that was heard", async () => {
    const program = "require('node:fs').closeSync(0); console.log('{}'); setInterval(() => undefined, 1000)";
    const launch = { type: "stdio" as const, command: process.execPath, args: ["-e", program], env: {} };
    const transport = new ProcessTransport({ ...launch, cwd: process.cwd() }, JSON.parse, new Set(), nodeClock);
    const closed = new Promise<void>(resolve => {
      transport.onclose = resolve;
    });
    const ready = new Promise<unknown>(resolve => {
      transport.onmessage = resolve;
    });
    await transport.start();
    await ready;
    const sent = transport.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    process.kill(transport.pid ?? 0, "SIGKILL");
    await assert.rejects(sent);
    // On a machine that does much else its end may be heard of too late.
    assert.match(transport.ended ?? "", /^it (was ended by SIGKILL|takes no more input)$/);
    await closed;
  });
});
