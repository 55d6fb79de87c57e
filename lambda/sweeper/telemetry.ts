/** Sends the traces and metrics of endpoints, if the deployment has a receiver. */
import type { Logger } from '@aws-lambda-powertools/logger';
import { environment, optionalEnvironment } from '../../aws/environment.ts';
import { createTelemetryEncoder } from '../../aws/telemetry/encode.ts';
import { createHeaders } from '../../aws/telemetry/headers.ts';
import { createTelemetryReceiver } from '../../aws/telemetry/receiver.ts';
import { DEPLOYMENT_VARIABLE } from '../../core/deployment.ts';
import type { Endpoint } from '../../core/endpoints/endpoint.ts';
import { createExporter } from '../../core/telemetry/exporter.ts';
import { ENDPOINTS_PER_REQUEST } from '../../core/telemetry/limits.ts';
import { type SpanPorts, spansOf } from '../../core/telemetry/news-spans.ts';
import type { EncodedMetrics } from '../../core/telemetry/receiver.ts';
import type { News } from '../../core/usage/news.ts';
import { type FactsPorts, factsOfAll } from '../../core/usage/scrape.ts';

export interface Telemetry {
  /** Makes the spans of what happened on an endpoint. A failure is logged. */
  addNews(endpoint: Endpoint, news: News): Promise<void>;
  /** Sends what was added since, and the metrics of the endpoints. Logs what was sent and what was not. */
  send(endpoints: readonly Endpoint[]): Promise<void>;
}

/** Address of the emulated AWS on a laptop, so that its telemetry never reaches an account. */
function signedUrl(url: string): string {
  const emulated = optionalEnvironment('AWS_ENDPOINT_URL');
  return emulated === undefined ? url : new URL(new URL(url).pathname, emulated).href;
}

/**
 * Creates the telemetry of the environment.
 * @returns undefined if the deployment has no receiver
 */
export function createTelemetry(ports: SpanPorts & FactsPorts, logger: Logger): Telemetry | undefined {
  const traces = optionalEnvironment('OTLP_TRACES_URL');
  if (traces === undefined) return undefined;
  const metrics = environment('OTLP_METRICS_URL');
  const isSigned = optionalEnvironment('OTLP_SIGNED') === 'true';
  const secret = optionalEnvironment('OTLP_HEADERS_SECRET');
  const encoder = createTelemetryEncoder({
    deployment: environment(DEPLOYMENT_VARIABLE),
    region: environment('AWS_REGION'),
  });
  const exporter = createExporter({
    clock: ports.clock,
    encoder,
    receiver: createTelemetryReceiver({
      urls: isSigned ? { traces: signedUrl(traces), metrics: signedUrl(metrics) } : { traces, metrics },
      isSigned,
      ...(secret !== undefined && { readHeaders: createHeaders(secret, ports.clock) }),
    }),
  });

  /** Returns the requests with the metrics, or none if they could not be read. */
  async function metricsOf(endpoints: readonly Endpoint[]): Promise<EncodedMetrics[]> {
    try {
      const facts = await factsOfAll(ports, endpoints);
      const begins = facts.map((_, n) => n).filter((n) => n % ENDPOINTS_PER_REQUEST === 0);
      return begins.map((n) => encoder.metrics(facts.slice(n, n + ENDPOINTS_PER_REQUEST)));
    } catch (error) {
      logger.error('Metrics were not made.', { error });
      return [];
    }
  }

  return {
    async addNews({ id }, news) {
      try {
        exporter.add(await spansOf(ports, id, news));
      } catch (error) {
        logger.error('Spans were not made.', { endpoint: id, error });
      }
    },

    async send(endpoints) {
      const { reasons, ...exported } = await exporter.flush(await metricsOf(endpoints));
      if (exported.postponed + exported.dropped + exported.rejected > 0)
        logger.warn('Telemetry was not sent.', { ...exported, reasons });
      else if (exported.sent > 0) logger.info('Telemetry was sent.', { sent: exported.sent });
    },
  };
}
