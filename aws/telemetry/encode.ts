/** Encodes telemetry as OTLP in protobuf, with the serializers of OpenTelemetry. */
import { resourceFromAttributes } from '@opentelemetry/resources';
import type { TelemetryEncoder } from '../../core/telemetry/receiver.ts';
import { encodeMetrics } from './encode-metrics.ts';
import { encodeSpans, SERVICE } from './encode-spans.ts';

/**
 * Creates the encoder.
 * @param of deployment and Region that the telemetry describes
 */
export function createTelemetryEncoder(of: { readonly deployment: string; readonly region: string }): TelemetryEncoder {
  const resource = resourceFromAttributes({
    'service.name': SERVICE,
    'deployment.environment.name': of.deployment,
    'cloud.provider': 'aws',
    'cloud.region': of.region,
  });
  return {
    spans: (spans) => encodeSpans(spans, resource),
    metrics: (facts) => encodeMetrics(facts, resource),
  };
}
