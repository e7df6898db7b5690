/** Background tasks without a session around them. */

import { BackgroundTasks, type BackgroundTasksDeps } from "../../src/core/commands/background";
import { MemoryBlobs } from "./blobs";
import { FakeClock } from "./clock";
import { asItIs } from "./redact";
import { ScriptedShell } from "./shell";

export function backgroundTasks(more: Partial<BackgroundTasksDeps> = {}): BackgroundTasks {
  return new BackgroundTasks({
    shell: new ScriptedShell({}),
    blobs: new MemoryBlobs().writer,
    clock: new FakeClock(),
    redactor: { redact: asItIs, safeEnd: text => text.length },
    emit: () => undefined,
    lastNumber: () => 0,
    ...more,
  });
}
