/** Ports of telemetry: its encoding, and the service that receives it. */
import type { EndpointFacts } from '../usage/metrics.ts';
import type { Span } from './span.ts';

export type Signal = 'traces' | 'metrics';

/** What a receiver did with a request. */
export type Received =
  | {
      readonly isAccepted: true;
      /** Spans or points that the receiver did not accept. */
      readonly rejected: number;
      readonly reason?: string | undefined;
    }
  | {
      readonly isAccepted: false;
      /** Whether the same request can be accepted later. */
      readonly mayRepeat: boolean;
      readonly reason: string;
    };

export interface TelemetryReceiver {
  /** Sends a request. Never rejects: a failure is an outcome. Takes at most `REQUEST_TIME`. */
  send(signal: Signal, body: Uint8Array): Promise<Received>;
}

/** An encoded request of metrics, and the number of its points. */
export interface EncodedMetrics {
  readonly body: Uint8Array;
  readonly points: number;
}

export interface TelemetryEncoder {
  spans(spans: readonly Span[]): Uint8Array;
  /** Encodes the metrics of the endpoints. */
  metrics(facts: readonly EndpointFacts[]): EncodedMetrics;
}
