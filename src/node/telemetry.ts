/** Spans for the person's own collector. What sends them is loaded with the first one: most people have no collector. */
import type { Clock, Logger, SettingsSource, Span, Telemetry } from "../core/ground/ports";
import type { OtlpExporter } from "./otlp";
import { nodeClock } from "./system";

interface LateTelemetryOptions {
  settings: SettingsSource;
  env: Readonly<Record<string, string | undefined>>;
  logger: Logger;
  /** of Strata */
  version: string;
  /** default: this machine's */
  clock?: Clock;
}

/** ms for waiting spans when the program ends */
const LAST_MS = 2_000;

export class LateTelemetry implements Telemetry {
  private exporter: Promise<OtlpExporter> | undefined;

  constructor(private readonly options: LateTelemetryOptions) {}

  get wants(): Telemetry["wants"] {
    const settings = this.options.settings.get();
    if (settings["telemetry.otlpEndpoint"].trim() === "") return "nothing";
    return settings["telemetry.captureContent"] ? "content" : "facts";
  }

  record(span: Span): void {
    const { settings, env, logger, version, clock = nodeClock } = this.options;
    const endpoint = () => settings.get()["telemetry.otlpEndpoint"].trim();
    const options = { endpoint, env, logger, version, clock };
    this.exporter ??= import("./otlp").then(({ OtlpExporter }) => new OtlpExporter(options));
    // One that cannot be loaded is a broken installation, and no reason to fail a turn.
    this.exporter.then(
      exporter => exporter.add(span),
      error => logger.log("warning", "spans cannot be sent", { error: String(error) }),
    );
  }

  /** Sends what waits, as far as that can be done soon. Never rejects. */
  async flush(): Promise<void> {
    await this.exporter?.then(exporter => exporter.flush(LAST_MS)).catch(() => undefined);
  }
}
