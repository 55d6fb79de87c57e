/** The figures of measured streams, and whether they are within their bounds. */
import { median, percentile, verdict, withBound } from '../bounds.ts';
import type { Call } from '../calls/call-log.ts';
import type { Received } from './reader.ts';

/**
 * Bounds in milliseconds at the median: for the first event of a single stream, and for all events of up to this
 * many streams.
 */
const FIRST_WITHIN = 120;
const ADDED_WITHIN = [
  { streams: 1, bound: 100 },
  { streams: 8, bound: 200 },
] as const;

export interface Measured {
  readonly streams: number;
  readonly seconds: number;
  /** The events of each stream. */
  readonly events: readonly (readonly Received[])[];
  /** Faults of streams, a phrase each. */
  readonly faults: readonly string[];
  /** AWS calls from the first submission to the end of the last stream. */
  readonly calls: readonly Call[];
}

export interface Row {
  readonly what: string;
  readonly value: string;
  readonly isMet?: boolean;
}

const milliseconds = (time: number) => `${time.toFixed(0)} ms`;

function bounded(what: string, value: number, bound: number | undefined): Row {
  if (bound === undefined) return { what, value: milliseconds(value) };
  const isMet = value <= bound;
  return { what, value: withBound(milliseconds(value), bound, isMet), isMet };
}

/** Returns a row for each operation with its calls and request units, per stream and second. */
function callRows({ calls, streams, seconds }: Measured): Row[] {
  const operations = ['PutItem', 'Query', 'GetItem', 'BatchGetItem', 'UpdateItem'];
  return operations.map((name) => {
    const those = calls.filter(({ operation }) => operation === name);
    const per = (sum: number) => (sum / streams / seconds).toFixed(1);
    const units = those.reduce((sum, { wru = 0, rru = 0 }) => sum + wru + rru, 0);
    return { what: `  ${name} per stream and second`, value: `${per(those.length)}, ${per(units)} units` };
  });
}

export function rowsOf(measured: Measured): Row[] {
  const { streams, events, faults } = measured;
  const addedOf = (some: readonly Received[]) => some.map(({ made, received }) => received - made);
  const added = addedOf(events.flat());
  const first = addedOf(events.flatMap(([event]) => (event ? [event] : [])));
  const { bound } = ADDED_WITHIN.find((one) => streams <= one.streams) ?? {};
  return [
    { what: `${streams} ${streams === 1 ? 'stream' : 'streams'}`, value: `${events.flat().length} events` },
    {
      what: '  lost, duplicated or out of order',
      value: `${faults[0] ?? 'none'}   ${verdict(faults.length === 0)}`,
      isMet: faults.length === 0,
    },
    bounded('  creation to arrival, first event, median', median(first), streams === 1 ? FIRST_WITHIN : undefined),
    bounded('  creation to arrival, each event, median', median(added), bound),
    { what: '  creation to arrival, each event, p95', value: milliseconds(percentile(added, 0.95)) },
    { what: '  creation to arrival, each event, maximum', value: milliseconds(percentile(added, 1)) },
    ...callRows(measured),
  ];
}
