/**
 * Sends spans and metrics to a receiver of OpenTelemetry, with bounds on time and memory: a receiver that is slow or
 * does not answer delays nothing but the telemetry.
 */
import type { Clock } from '../clock.ts';
import { MAX_WAITING_BYTES, SEND_TIME, SPANS_PER_REQUEST } from './limits.ts';
import type { EncodedMetrics, Received, Signal, TelemetryEncoder, TelemetryReceiver } from './receiver.ts';
import type { Span } from './span.ts';

/** An encoded request. */
interface Batch {
  readonly signal: Signal;
  readonly body: Uint8Array;
  /** Number of its spans or points. */
  readonly count: number;
  /** Whether it is repeated if it fails. Metrics are not, because the next request has their totals. */
  readonly repeats: boolean;
}

const batchOf = (signal: Signal, body: Uint8Array, count: number, repeats: boolean): Batch => ({
  signal,
  body,
  count,
  repeats,
});

/** What a call of `flush` did, in spans and points. */
export interface Exported {
  readonly sent: number;
  /** Failed, and tried once more at the next call. */
  readonly postponed: number;
  readonly dropped: number;
  /** Not accepted, although the receiver accepted the request. */
  readonly rejected: number;
  /** Reasons of the last failure, by signal. */
  readonly reasons: Readonly<Partial<Record<Signal, string>>>;
}

export interface Exporter {
  /** Adds spans to those that wait. */
  add(spans: readonly Span[]): void;
  /** Sends what waits, and metrics. */
  flush(metrics?: readonly EncodedMetrics[]): Promise<Exported>;
}

export interface ExporterPorts {
  readonly clock: Clock;
  readonly encoder: Pick<TelemetryEncoder, 'spans'>;
  readonly receiver: TelemetryReceiver;
}

/** Creates an exporter, which remembers what it could not send until its next call. */
export function createExporter({ clock, encoder, receiver }: ExporterPorts): Exporter {
  let pending: Span[] = [];
  let waiting: Batch[] = [];
  let dropped = 0;

  function encode(): void {
    const spans = pending;
    pending = [];
    const held = waiting.reduce((sum, { body }) => sum + body.length, 0);
    if (held >= MAX_WAITING_BYTES) dropped += spans.length;
    else if (spans.length > 0) waiting.push(batchOf('traces', encoder.spans(spans), spans.length, true));
  }

  /** Sends the batches one after the other. After a failure that may pass, the others are not tried. */
  async function sendAll(batches: readonly Batch[], until: number): Promise<{ sent: number; rejected: number }> {
    const totals = { sent: 0, rejected: 0 };
    let failure: string | undefined;
    for (const batch of batches) {
      const outcome: Received =
        failure === undefined && clock.now() < until
          ? await receiver.send(batch.signal, batch.body)
          : { isAccepted: false, mayRepeat: true, reason: failure ?? 'OUT_OF_TIME' };
      if (outcome.reason !== undefined) reasons[batch.signal] = outcome.reason;
      if (outcome.isAccepted) {
        totals.sent += batch.count - outcome.rejected;
        totals.rejected += outcome.rejected;
      } else if (outcome.mayRepeat && batch.repeats) waiting.push({ ...batch, repeats: false });
      else dropped += batch.count;
      if (!outcome.isAccepted && outcome.mayRepeat) failure = outcome.reason;
    }
    return totals;
  }

  let reasons: Partial<Record<Signal, string>> = {};

  return {
    add(spans) {
      for (const span of spans) {
        pending.push(span);
        if (pending.length >= SPANS_PER_REQUEST) encode();
      }
    },

    async flush(metrics = []) {
      encode();
      const until = clock.now() + SEND_TIME;
      const traces = waiting;
      waiting = [];
      reasons = {};
      const batches = metrics.map(({ body, points }) => batchOf('metrics', body, points, false));
      const both = await Promise.all([sendAll(traces, until), sendAll(batches, until)]);
      const exported: Exported = {
        sent: both[0].sent + both[1].sent,
        rejected: both[0].rejected + both[1].rejected,
        postponed: waiting.reduce((sum, { count }) => sum + count, 0),
        dropped,
        reasons,
      };
      dropped = 0;
      return exported;
    },
  };
}
