/** Encodes spans as OTLP in protobuf, with the serializer of OpenTelemetry. */
import { type HrTime, type Link, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { SECOND } from '../../core/limits.ts';
import type { Attributes, Span } from '../../core/telemetry/span.ts';

export const SERVICE = 'gpu-endpoints';
export const scope = { name: SERVICE };

const NANOSECONDS = 1e6;

/** Returns a time as seconds and nanoseconds. */
export const hrTime = (milliseconds: number): HrTime => {
  const whole = Math.floor(milliseconds / SECOND);
  return [whole, Math.round((milliseconds - whole * SECOND) * NANOSECONDS)];
};

/** Returns the attributes that have a value. */
const present = (attributes: Attributes) =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));

const noLinks: Link[] = [];

function readable(span: Span, resource: Resource): ReadableSpan {
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

export const encodeSpans = (spans: readonly Span[], resource: Resource): Uint8Array =>
  ProtobufTraceSerializer.serializeRequest(spans.map((span) => readable(span, resource))) ?? new Uint8Array();
