/** What happened on an endpoint lately: its last hour, its last day by hour, and its cost of today. */
import type { Clock } from '../clock.ts';
import { dayOf } from '../endpoints/spending.ts';
import { HOUR } from '../limits.ts';
import { isoTime } from '../requests/time.ts';
import type { Deliveries } from '../webhooks/store.ts';
import { percentilesOf } from './histogram.ts';
import { RECENT_HOURS, RECENT_WEBHOOKS } from './limits.ts';
import { beginOf, mergeOf, readSummedTo } from './read.ts';
import type { UsageSums } from './store.ts';
import { failedOf, roundedDollars, type SpanRow, type Sums } from './sums.ts';

export type RecentPorts = {
  readonly clock: Clock;
  readonly usageSums: UsageSums;
  readonly deliveries: Pick<Deliveries, 'failures'>;
};

interface Ends {
  /** Jobs that ended, and those of them that failed or exceeded their time. */
  readonly ended: number;
  readonly failed: number;
}

export interface Recent {
  readonly lastHour: Ends & {
    /** 95th percentile of the waits in milliseconds; absent if no job has ended. */
    readonly p95DelayTime?: number;
    /** Webhooks that failed, at most `RECENT_WEBHOOKS`, and were not sent again. */
    readonly failedWebhooks: number;
  };
  /** The hours of the last day in which jobs ended, oldest first. */
  readonly hours: readonly (Ends & { readonly from: string })[];
  /** Since 00:00 UTC: US dollars, and the time of workers without a price in milliseconds. */
  readonly today: { readonly dollars: number; readonly unpricedTime: number };
  /** Time up to which jobs and costs are summed. */
  readonly summedTo: string;
}

const endsOf = (sums: Pick<Sums, 'ended'>): Ends => ({
  ended: Object.values(sums.ended).reduce((total, count) => total + count, 0),
  failed: failedOf(sums),
});

const sumsOf = (rows: readonly SpanRow[]) => mergeOf(rows).sums;

async function failedWebhooks({ deliveries }: RecentPorts, endpoint: string, since: number): Promise<number> {
  let count = 0;
  for await (const { failedAt } of deliveries.failures(endpoint)) {
    if (failedAt < since) break;
    count += 1;
    if (count === RECENT_WEBHOOKS) break;
  }
  return count;
}

/**
 * Returns what happened on the endpoint lately.
 *
 * Reads at most 24 sums of hours, those of the minutes since the last hour or the last whole one, and the newest failed
 * webhooks.
 */
export async function recentOf(ports: RecentPorts, endpoint: string): Promise<Recent> {
  const { clock, usageSums } = ports;
  const now = clock.now();
  const summedTo = await readSummedTo(ports, endpoint);
  const open = beginOf(Math.min(now, summedTo), 'hour');
  const since = beginOf(now - HOUR, 'minute');
  const first = beginOf(now, 'hour') - (RECENT_HOURS - 1) * HOUR;
  const [minutes, whole, failures] = await Promise.all([
    usageSums.read(endpoint, 'minute', Math.max(first, Math.min(open, since)), now),
    usageSums.read(endpoint, 'hour', first, open),
    failedWebhooks(ports, endpoint, now - HOUR),
  ]);
  const openHours = Map.groupBy(
    minutes.filter(({ from }) => from >= open),
    ({ from }) => beginOf(from, 'hour'),
  );
  const hours = [...whole, ...[...openHours].map(([from, rows]) => ({ from, ...mergeOf(rows) }))];
  const lastHour = sumsOf(minutes.filter(({ from }) => from >= since));
  const today = sumsOf(hours.filter(({ from }) => from >= dayOf(now)));
  const [p95] = percentilesOf(lastHour.delay, [95] as const) ?? [];
  return {
    lastHour: {
      ...endsOf(lastHour),
      ...(p95 !== undefined && { p95DelayTime: p95 }),
      failedWebhooks: failures,
    },
    hours: hours.map(({ from, sums }) => ({ from: isoTime(from), ...endsOf(sums) })).filter(({ ended }) => ended > 0),
    today: {
      dollars: roundedDollars(today.dollars.busy + today.dollars.idle + today.dollars.starting),
      unpricedTime: Math.round(today.unpriced),
    },
    summedTo: isoTime(Math.min(now, summedTo)),
  };
}
