/** Encodes spans as OTLP in protobuf, with the serializer of OpenTelemetry. */
import { type HrTime, type Link, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { SECOND } from '../../core/limits.ts';
import type { TelemetryEncoder } from '../../core/telemetry/receiver.ts';
import type { Attributes, Span } from '../../core/telemetry/span.ts';

const SERVICE = 'gpu-endpoints';
const scope = { name: SERVICE };

const NANOSECONDS = 1e6;

/** Returns a time as seconds and nanoseconds. */
const hrTime = (milliseconds: number): HrTime => {
  const whole = Math.floor(milliseconds / SECOND);
  return [whole, Math.round((milliseconds - whole * SECOND) * NANOSECONDS)];
};

/** Returns the attributes that have a value. */
const present = (attributes: Attributes) =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));

const noLinks: Link[] = [];

function readable(span: Span, resource: ReadableSpan['resource']): ReadableSpan {
  const { traceId, spanId, parentSpanId, name, kind, from, to, attributes, error } = span;
  const contextOf = (id: string) => ({ traceId, spanId: id, traceFlags: TraceFlags.SAMPLED });
  return {
    name,
    kind: SpanKind[kind],
    spanContext: () => contextOf(spanId),
    ...(parentSpanId !== undefined && { parentSpanContext: contextOf(parentSpanId) }),
    startTime: hrTime(from),
    endTime: hrTime(to),
    duration: hrTime(to - from),
    status: error === undefined ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: error },
    attributes: present(attributes),
    links: noLinks,
    events: [],
    ended: true,
    resource,
    instrumentationScope: scope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

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
  const encoded = (body: Uint8Array | undefined): Uint8Array => body ?? new Uint8Array();
  return {
    spans: (spans) => encoded(ProtobufTraceSerializer.serializeRequest(spans.map((span) => readable(span, resource)))),
  };
}
