/** The sums of an endpoint over a minute, an hour or a day. */
import * as z from 'zod/mini';
import { stageNames } from '../fleet/stages.ts';
import { DAY, HOUR, MINUTE } from '../limits.ts';
import { workerStates } from '../workers/lease.ts';
import { histogramSchema, sumOfNumbers } from './histogram.ts';

/** Lengths of spans in milliseconds. Each begins at a multiple of its length since the epoch, in UTC. */
export const spanLengths = { minute: MINUTE, hour: HOUR, day: DAY } as const;
export type SpanLength = keyof typeof spanLengths;

export const timeKinds = ['busy', 'idle', 'starting'] as const;
export type TimeKind = (typeof timeKinds)[number];

const number = z._default(z.number(), 0);
const numbers = z._default(z.record(z.string(), z.number()), {});
const kinds = z._default(z.object({ busy: number, idle: number, starting: number }), { busy: 0, idle: 0, starting: 0 });

const payerSchema = z.object({
  /** Jobs that ended. */
  jobs: number,
  /** Worker time, in milliseconds. */
  time: number,
  dollars: number,
});
export type PayerSums = z.infer<typeof payerSchema>;

/** What happened in a span. */
export const sumsSchema = z.object({
  /** Numbers of jobs that ended, by code: `COMPLETED`, or why they did not complete. */
  ended: numbers,
  /** Attempts that ended without an end of their job. */
  requeued: number,
  /** Waits of jobs that were started, and run times of their last attempts. */
  delay: z._default(histogramSchema, {}),
  run: z._default(histogramSchema, {}),
  /** Exact sums of these waits and run times in milliseconds. */
  delaySum: number,
  runSum: number,
  /** Workers that became ready, and the sums of the stages of their starts in milliseconds. */
  ready: number,
  stages: z._default(z.partialRecord(z.enum(stageNames), z.number()), {}),
  /** Time of workers in milliseconds, and what it cost in US dollars. */
  time: kinds,
  dollars: kinds,
  /** Time of workers without a price, in milliseconds. */
  unpriced: number,
  payers: z._default(z.record(z.string(), payerSchema), {}),
});
export type Sums = Readonly<z.infer<typeof sumsSchema>>;

/** Samples of an endpoint in a span, one a minute. Sums and maxima of the samples. */
export const samplesSchema = z.object({
  count: number,
  waiting: number,
  maxWaiting: number,
  /** Age of the oldest waiting job in milliseconds. */
  oldestWaiting: number,
  running: number,
  workers: z._default(z.partialRecord(z.enum(workerStates), z.number()), {}),
});
export type Samples = Readonly<z.infer<typeof samplesSchema>>;

/** The stored sums of a span. A span without a row has only zeros. */
export const spanRowSchema = z.object({
  /** Begin of the span, in milliseconds since the epoch. */
  from: z.number(),
  sums: z._default(sumsSchema, sumsSchema.parse({})),
  samples: z._default(samplesSchema, samplesSchema.parse({})),
});
export type SpanRow = z.infer<typeof spanRowSchema>;

const total = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0);
const greatest = (all: readonly number[]) => Math.max(0, ...all);

function sumOfKinds(all: readonly Sums[], name: 'time' | 'dollars'): Sums['time'] {
  const of = (kind: TimeKind) => total(all.map((sums) => sums[name][kind]));
  return { busy: of('busy'), idle: of('idle'), starting: of('starting') };
}

function sumOfPayers(all: readonly Sums['payers'][]): Sums['payers'] {
  const byPayer = Map.groupBy(all.flatMap(Object.entries<PayerSums>), ([payer]) => payer);
  const sums = [...byPayer].map(([payer, entries]) => {
    const of = (name: keyof PayerSums) => total(entries.map(([, one]) => one[name]));
    return [payer, { jobs: of('jobs'), time: of('time'), dollars: of('dollars') }] as const;
  });
  return Object.fromEntries(sums);
}

export const sumOfSums = (all: readonly Sums[]): Sums => ({
  ended: sumOfNumbers(all.map(({ ended }) => ended)),
  requeued: total(all.map(({ requeued }) => requeued)),
  delay: sumOfNumbers(all.map(({ delay }) => delay)),
  run: sumOfNumbers(all.map(({ run }) => run)),
  delaySum: total(all.map(({ delaySum }) => delaySum)),
  runSum: total(all.map(({ runSum }) => runSum)),
  ready: total(all.map(({ ready }) => ready)),
  stages: sumOfNumbers(all.map(({ stages }) => stages as Record<string, number>)),
  time: sumOfKinds(all, 'time'),
  dollars: sumOfKinds(all, 'dollars'),
  unpriced: total(all.map(({ unpriced }) => unpriced)),
  payers: sumOfPayers(all.map(({ payers }) => payers)),
});

export const sumOfSamples = (all: readonly Samples[]): Samples => ({
  count: total(all.map(({ count }) => count)),
  waiting: total(all.map(({ waiting }) => waiting)),
  maxWaiting: greatest(all.map(({ maxWaiting }) => maxWaiting)),
  oldestWaiting: greatest(all.map(({ oldestWaiting }) => oldestWaiting)),
  running: total(all.map(({ running }) => running)),
  workers: sumOfNumbers(all.map(({ workers }) => workers as Record<string, number>)),
});

/** Codes of jobs that ended as their client wanted. */
const notFailed: ReadonlySet<string> = new Set(['COMPLETED', 'CANCELLED', 'PURGED']);

/** Returns the number of jobs that failed or exceeded their time. */
export const failedOf = ({ ended }: Pick<Sums, 'ended'>): number =>
  Object.entries(ended).reduce((sum, [code, count]) => (notFailed.has(code) ? sum : sum + count), 0);

/** Rounds to a millionth of a dollar, as dollars are stored and returned. */
export const roundedDollars = (dollars: number): number => Math.round(dollars * 1e6) / 1e6;
