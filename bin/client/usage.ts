/** `gpu-endpoints endpoints series` and `cost actual`: what happened on endpoints over time, and what it cost. */
import type { Command } from 'commander';
import { Option } from 'commander';
import type { Cost, Costs } from '../../core/usage/costs.ts';
import { costGroups, steps } from '../../core/usage/limits.ts';
import type { Series, SeriesSums } from '../../core/usage/series.ts';
import { failedOf } from '../../core/usage/sums.ts';
import { call, segment } from './call.ts';
import { type CommonOptions, common, serviceOf } from './options.ts';
import { dollars, duration, printJson, printTable } from './print.ts';
import { timeOption } from './time.ts';

interface TimeOptions extends CommonOptions {
  readonly since?: string;
  readonly until?: string;
}

const withTimes = (command: Command): Command =>
  command
    .option('--since <time>', 'begin at this time, or this long ago, such as 7d', timeOption)
    .option('--until <time>', 'end at this time', timeOption);

/** Returns a time without seconds, in UTC. */
const minuteOf = (time: string) => `${time.slice(0, 10)} ${time.slice(11, 16)}`;

type Line = SeriesSums & { readonly name: string };

const totalOf = (amounts: SeriesSums['dollars']) =>
  amounts && Object.values(amounts).reduce((sum, amount) => sum + amount, 0);

const percentile = (name: 'delayTime' | 'executionTime') => ({
  text: (line: Line) => {
    const found = line[name];
    return found && duration(found.p95);
  },
  isNumber: true as const,
});

interface SeriesOptions extends TimeOptions {
  readonly step?: string;
}

async function printSeries(endpoint: string, options: SeriesOptions): Promise<void> {
  const { since, until, step } = options;
  const path = `/endpoints/${segment(endpoint)}/series`;
  const query = { since, until, step };
  const answer = await call<Series>(serviceOf(options), 'management', 'GET', path, { query });
  if (options.json) return printJson(answer);
  const lines: Line[] = answer.points.map((point) => ({ ...point, name: minuteOf(point.from) }));
  if (lines.length > 0) lines.push({ ...answer.total, name: 'all' });
  printTable<Line>(
    [
      { head: `${answer.step.toUpperCase()} (UTC)`, text: ({ name }) => name },
      { head: 'COMPLETED', text: ({ ended }) => ended.COMPLETED ?? 0, isNumber: true },
      { head: 'FAILED', text: failedOf, isNumber: true },
      { head: 'WAIT P95', ...percentile('delayTime') },
      { head: 'RUN P95', ...percentile('executionTime') },
      { head: 'MAX WAITING', text: ({ maxWaiting }) => maxWaiting, isNumber: true, omitted: 1 },
      { head: 'STARTED', text: ({ ready }) => ready, isNumber: true, omitted: 2 },
      { head: 'BUSY', text: ({ workerTime }) => duration(workerTime.busy), isNumber: true, omitted: 3 },
      { head: 'COST', text: (line) => dollars(totalOf(line.dollars)), isNumber: true },
    ],
    lines,
    `Nothing happened on ${endpoint} in this time.`,
  );
  console.error(`Summed up to ${answer.summedTo}. Percentiles are within 10 %.`);
}

interface CostOptions extends TimeOptions {
  readonly endpoint?: string;
  readonly by?: string;
}

async function printCosts(options: CostOptions): Promise<void> {
  const { since, until, endpoint, by } = options;
  const query = { since, until, endpoint, by };
  const answer = await call<Costs>(serviceOf(options), 'management', 'GET', '/costs', { query });
  if (options.json) return printJson(answer);
  const groups = by?.split(',') ?? ['endpoint'];
  const isBy = (group: string) => groups.includes(group);
  const { total } = answer;
  const lines: Cost[] = [...answer.costs, { ...total, key: '', [groups[0] ?? 'endpoint']: 'all' }];
  printTable<Cost>(
    [
      ...(isBy('endpoint') ? [{ head: 'ENDPOINT', text: (cost: Cost) => cost.endpoint }] : []),
      ...(isBy('day') ? [{ head: 'DAY', text: (cost: Cost) => cost.day }] : []),
      ...(isBy('key') ? [{ head: 'KEY', text: (cost: Cost) => cost.key ?? 'no job' }] : []),
      { head: 'JOBS', text: ({ jobs }) => jobs, isNumber: true },
      { head: 'BUSY', text: (cost) => dollars(cost.dollars.busy), isNumber: true },
      { head: 'IDLE', text: (cost) => dollars(cost.dollars.idle), isNumber: true },
      { head: 'STARTING', text: (cost) => dollars(cost.dollars.starting), isNumber: true },
      { head: 'COST', text: (cost) => dollars(cost.dollars.total), isNumber: true },
    ],
    answer.costs.length === 0 ? [] : lines,
    'No worker ran in this time.',
  );
  if (total.unpricedTime > 0)
    console.error(`Without workers that ran for ${duration(total.unpricedTime)} and have no price, such as on Spot.`);
  console.error(`Summed up to ${answer.summedTo}.`);
}

export function addSeries(endpoints: Command): void {
  common(
    withTimes(
      endpoints
        .command('series')
        .description('print the jobs, waits, run times, workers and cost of an endpoint over time')
        .argument('<endpoint>', 'id of the endpoint'),
    ).addOption(new Option('--step <length>', 'length of a line (default: the shortest that fits)').choices(steps)),
    'GET /v1/endpoints/ENDPOINT/series',
    'endpoints series chat --since 7d --step day',
  ).action(printSeries);
}

export function addActualCost(cost: Command): void {
  common(
    withTimes(
      cost
        .command('actual')
        .description('print what the workers of a deployment cost, while they ran jobs, were idle and started'),
    )
      .option('--by <groups>', `one or more of ${costGroups.join(', ')}, separated by commas`, 'endpoint')
      .option('--endpoint <endpoint>', 'only this endpoint'),
    'GET /v1/costs',
    'cost actual --since 7d --by endpoint,day',
  ).action(printCosts);
}
