/** What the workers of endpoints cost, by endpoint, day and API key. */
import pLimit from 'p-limit';
import { endpointsOf, type HistoryTimes, timesOf } from '../history/request.ts';
import { DAY, HOUR } from '../limits.ts';
import { InvalidRequest } from '../requests/errors.ts';
import { isoTime } from '../requests/time.ts';
import { oneOrMoreOf, type QueryValue, shown, validate } from '../requests/validation.ts';
import { costDays, costGroups, SUMMED_AT_ONCE } from './limits.ts';
import { beginOf, readSpans, readSummedTo } from './read.ts';
import type { UsagePorts } from './series.ts';
import type { UsageSums } from './store.ts';
import { roundedDollars, type Sums, sumOfSums } from './sums.ts';

export interface CostsRequest extends HistoryTimes {
  /** Ids of the endpoints that the caller may call; `*` means all. */
  readonly permitted: readonly string[];
  readonly endpoint?: QueryValue | undefined;
  /** One or more of `costGroups`, separated by commas. */
  readonly by?: QueryValue | undefined;
}

/** The cost of a group. Dollars are US dollars, times milliseconds. */
export interface Cost {
  readonly endpoint?: string | undefined;
  /** Day in UTC, such as `2030-01-31`. */
  readonly day?: string | undefined;
  /** Id of an API key, or `user ` and a name. Absent for time in which no job ran. */
  readonly key?: string | undefined;
  /** Jobs that ended. */
  readonly jobs: number;
  readonly workerTime: Sums['time'];
  readonly dollars: Sums['dollars'] & { readonly total: number };
  /** Time of workers without a price, such as those on Spot. */
  readonly unpricedTime: number;
}

export interface Costs {
  readonly costs: readonly Cost[];
  readonly total: Cost;
  /** Time up to which the costs of all endpoints are summed. */
  readonly summedTo: string;
}

const groupsSchema = oneOrMoreOf(costGroups);

type Name = Pick<Cost, 'endpoint' | 'day' | 'key'>;
type Amount = Omit<Cost, keyof Name | 'dollars'> & { readonly dollars: Sums['dollars'] };

const jobsOf = ({ ended }: Sums) => Object.values(ended).reduce((sum, count) => sum + count, 0);

const amountOf = (sums: Sums): Amount => ({
  jobs: jobsOf(sums),
  workerTime: sums.time,
  dollars: sums.dollars,
  unpricedTime: sums.unpriced,
});

/** Returns the amount of each payer, and that of the time in which no job ran. */
function amountsByKey(sums: Sums): readonly (readonly [key: string | undefined, amount: Amount])[] {
  const payers = Object.entries(sums.payers).map(([key, { jobs, time, dollars }]): [string, Amount] => [
    key,
    {
      jobs,
      workerTime: { busy: time, idle: 0, starting: 0 },
      dollars: { busy: dollars, idle: 0, starting: 0 },
      unpricedTime: sums.unpriced > 0 ? time : 0,
    },
  ]);
  const { time, dollars } = sums;
  const rest = {
    jobs: 0,
    workerTime: { ...time, busy: 0 },
    dollars: { ...dollars, busy: 0 },
    unpricedTime: sums.unpriced > 0 ? time.idle + time.starting : 0,
  };
  return [...payers, [undefined, rest]];
}

function costOf(name: Name, amounts: readonly Amount[]): Cost {
  const sum = (of: (amount: Amount) => number) => amounts.reduce((total, amount) => total + of(amount), 0);
  const kinds = (name: 'workerTime' | 'dollars', round: (value: number) => number) => ({
    busy: round(sum((amount) => amount[name].busy)),
    idle: round(sum((amount) => amount[name].idle)),
    starting: round(sum((amount) => amount[name].starting)),
  });
  const total = sum(({ dollars: { busy, idle, starting } }) => busy + idle + starting);
  return {
    ...name,
    jobs: sum(({ jobs }) => jobs),
    workerTime: kinds('workerTime', Math.round),
    dollars: { ...kinds('dollars', roundedDollars), total: roundedDollars(total) },
    unpricedTime: Math.round(sum(({ unpricedTime }) => unpricedTime)),
  };
}

/** Returns the sums of each day, or part of a day, of the range. */
async function daysOf(
  usageSums: UsageSums,
  endpoint: string,
  { from, to, summedTo }: { readonly from: number; readonly to: number; readonly summedTo: number },
): Promise<readonly { readonly day: number; readonly sums: Sums }[]> {
  const [first, last] = [Math.min(to, beginOf(from + DAY - 1, 'day')), Math.max(from, beginOf(to, 'day'))];
  const read = (length: 'hour' | 'day', begin: number, end: number) =>
    begin < end ? readSpans(usageSums, endpoint, length, { from: begin, to: end, summedTo }) : [];
  const parts = await Promise.all([
    read('hour', from, first),
    read('day', first, last),
    read('hour', Math.max(first, last), to),
  ]);
  const byDay = Map.groupBy(parts.flat(), (row) => beginOf(row.from, 'day'));
  return [...byDay].map(([day, rows]) => ({ day, sums: sumOfSums(rows.map(({ sums }) => sums)) }));
}

/**
 * Returns what the workers of endpoints cost in a time, grouped by endpoint, day or key.
 *
 * Input: times, which are extended to whole hours, groups, endpoint. Output: a cost for each group, the highest first.
 * @throws EndpointNotFound, InvalidRequest
 */
export async function costs(ports: UsagePorts, request: CostsRequest): Promise<Costs> {
  const now = ports.clock.now();
  const since = request.since ?? isoTime(beginOf(now, 'day') - (costDays.default - 1) * DAY);
  const times = timesOf({ since, until: request.until }, now);
  const [from, to] = [beginOf(times.from, 'hour'), Math.min(now, beginOf(times.to + HOUR - 1, 'hour'))];
  if (to - from > costDays.max * DAY)
    throw new InvalidRequest(`Costs are of at most ${costDays.max} days, got those since ${shown(since)}.`);
  const groups = request.by === undefined ? ['endpoint'] : validate(groupsSchema, request.by, 'by');
  const endpoints = await endpointsOf(ports, request.endpoint, request.permitted);

  let complete = now;
  const amounts = await pLimit(SUMMED_AT_ONCE).map(endpoints, async (endpoint) => {
    const summedTo = await readSummedTo(ports, endpoint);
    complete = Math.min(complete, summedTo);
    const days = await daysOf(ports.usageSums, endpoint, { from, to, summedTo });
    return days.flatMap(({ day, sums }) => {
      const name = {
        ...(groups.includes('endpoint') && { endpoint }),
        ...(groups.includes('day') && { day: isoTime(day).slice(0, 10) }),
      };
      const byKey = groups.includes('key') ? amountsByKey(sums) : [[undefined, amountOf(sums)] as const];
      return byKey.map(([key, amount]) => ({ name: { ...name, ...(key !== undefined && { key }) }, amount }));
    });
  });
  const all = amounts.flat();
  const byName = Map.groupBy(all, ({ name }) => JSON.stringify(name));
  const found = [...byName.values()].map((entries) =>
    costOf(
      entries[0]?.name ?? {},
      entries.map(({ amount }) => amount),
    ),
  );
  return {
    costs: found.sort((one, other) => other.dollars.total - one.dollars.total),
    total: costOf(
      {},
      all.map(({ amount }) => amount),
    ),
    summedTo: isoTime(complete),
  };
}
