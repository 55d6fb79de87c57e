/** Tests the bounds of the exporter: what it sends, repeats and drops, and for how long. */
import { describe, expect, it } from '@jest/globals';
import { createExporter } from '../../core/telemetry/exporter.ts';
import { MAX_WAITING_BYTES, SEND_TIME, SPANS_PER_REQUEST } from '../../core/telemetry/limits.ts';
import type { Received } from '../../core/telemetry/receiver.ts';
import { type Span, spanIdOf } from '../../core/telemetry/span.ts';
import { MovedClock } from '../support/emulated-deployment.ts';

const span = (n: number): Span => ({
  traceId: 'a'.repeat(32),
  spanId: spanIdOf(n),
  name: 'run',
  kind: 'INTERNAL',
  from: 0,
  to: 1,
  attributes: {},
});
const spans = (count: number) => Array.from({ length: count }, (_, n) => span(n));

const accepted: Received = { isAccepted: true, rejected: 0 };
const down: Received = { isAccepted: false, mayRepeat: true, reason: 'ECONNREFUSED' };
const refused: Received = { isAccepted: false, mayRepeat: false, reason: 'HTTP 400' };

/** @param bytesPerSpan size of an encoded span */
function start(answer: () => Received, { bytesPerSpan = 1, time = 0 } = {}) {
  const clock = new MovedClock(1_000);
  const sent: number[] = [];
  const exporter = createExporter({
    clock,
    encoder: { spans: (all) => new Uint8Array(all.length * bytesPerSpan) },
    receiver: {
      async send(_signal, body) {
        clock.advance(time);
        sent.push(body.length / bytesPerSpan);
        return answer();
      },
    },
  });
  return { exporter, sent };
}

const nothing = { sent: 0, postponed: 0, dropped: 0, rejected: 0, reasons: {} };

describe('the exporter', () => {
  it('sends spans in requests of at most a thousand', async () => {
    const { exporter, sent } = start(() => accepted);
    exporter.add(spans(2 * SPANS_PER_REQUEST + 1));
    expect(await exporter.flush()).toEqual({ ...nothing, sent: 2 * SPANS_PER_REQUEST + 1 });
    expect(sent).toEqual([SPANS_PER_REQUEST, SPANS_PER_REQUEST, 1]);
    expect(await exporter.flush()).toEqual(nothing);
  });

  it('tries spans once more that a receiver which does not answer has not got, then drops them', async () => {
    const { exporter, sent } = start(() => down);
    exporter.add(spans(3 * SPANS_PER_REQUEST));
    const reasons = { traces: 'ECONNREFUSED' };
    expect(await exporter.flush()).toEqual({ ...nothing, postponed: 3 * SPANS_PER_REQUEST, reasons });
    // The other requests would wait for the same receiver.
    expect(sent).toHaveLength(1);
    exporter.add(spans(5));
    expect(await exporter.flush()).toEqual({ ...nothing, dropped: 3 * SPANS_PER_REQUEST, postponed: 5, reasons });
    expect(await exporter.flush()).toEqual({ ...nothing, dropped: 5, reasons });
    expect(await exporter.flush()).toEqual(nothing);
  });

  it('sends what was postponed when the receiver answers again, the oldest first', async () => {
    let answer: Received = down;
    const { exporter, sent } = start(() => answer);
    exporter.add(spans(7));
    await exporter.flush();
    answer = accepted;
    exporter.add(spans(3));
    expect(await exporter.flush()).toEqual({ ...nothing, sent: 10 });
    expect(sent).toEqual([7, 7, 3]);
  });

  it('drops a request that the receiver refuses, and sends the others', async () => {
    const answers = [refused, accepted];
    const { exporter } = start(() => answers.shift() ?? accepted);
    exporter.add(spans(SPANS_PER_REQUEST + 4));
    const reasons = { traces: 'HTTP 400' };
    expect(await exporter.flush()).toEqual({ ...nothing, sent: 4, dropped: SPANS_PER_REQUEST, reasons });
  });

  it('begins no request after the time of a sweep, however slow the receiver is', async () => {
    const { exporter, sent } = start(() => accepted, { time: SEND_TIME / 2 });
    exporter.add(spans(5 * SPANS_PER_REQUEST));
    const { sent: done, postponed } = await exporter.flush();
    expect([done, postponed]).toEqual([2 * SPANS_PER_REQUEST, 3 * SPANS_PER_REQUEST]);
    expect(sent).toHaveLength(2);
  });

  it('holds at most some megabytes, and counts what it drops', async () => {
    const { exporter } = start(() => accepted, { bytesPerSpan: MAX_WAITING_BYTES / SPANS_PER_REQUEST / 2 });
    exporter.add(spans(4 * SPANS_PER_REQUEST));
    const { sent, dropped } = await exporter.flush();
    expect([sent, dropped]).toEqual([2 * SPANS_PER_REQUEST, 2 * SPANS_PER_REQUEST]);
  });

  it('counts spans that the receiver rejects, and never repeats metrics', async () => {
    const { exporter, sent } = start(() => ({ isAccepted: true, rejected: 2, reason: 'too old' }));
    exporter.add(spans(10));
    expect(await exporter.flush()).toEqual({ ...nothing, sent: 8, rejected: 2, reasons: { traces: 'too old' } });
    const failing = start(() => down);
    expect(await failing.exporter.flush([{ body: new Uint8Array(3), points: 3 }])).toEqual({
      ...nothing,
      dropped: 3,
      reasons: { metrics: 'ECONNREFUSED' },
    });
    expect(await failing.exporter.flush()).toEqual(nothing);
    expect(sent).toHaveLength(1);
  });
});
