/** What the synthesized stacks cost: while nothing runs, per hour of a worker, and per million jobs. */
import type { App, Resource } from '../../synthesized/app.ts';
import { type Dollars, dollarsOf } from '../ledger/dollars.ts';
import type { Recorded } from '../ledger/record.ts';
import { memoryOf, rowsOf } from '../ledger/rows.ts';
import type { Scenario } from '../ledger/scenarios.ts';
import { asOf, type PriceRow, type Prices } from '../prices/prices.ts';
import { type Charge, charge, priceOfUse, type Use, type Verdict } from './charge.ts';
import { free } from './free.ts';
import { idleCalls } from './idle.ts';
import { rules } from './rules.ts';
import { type WorkerHour, workerHours } from './workers.ts';

export interface StandingLine extends Charge {
  /** The stack, or `all` for what is done for all of them. */
  readonly stack: string;
}

export interface UseLine extends PriceRow {
  readonly use: Use;
  readonly per: 'GB' | 'million' | 'month';
  /** Of so many resources. */
  readonly resources: number;
}

export interface JobLine extends Dollars {
  readonly scenario: string;
  readonly title: string;
}

export interface Bill {
  readonly region: string;
  /** The oldest of the prices is of this day. */
  readonly pricesOf: string;
  readonly standing: readonly StandingLine[];
  /** US dollars a month, of all that is priced. */
  readonly standingTotal: number;
  readonly workers: readonly WorkerHour[];
  /** US dollars for a million jobs. */
  readonly jobs: readonly JobLine[];
  readonly byUse: readonly UseLine[];
  /** Sentences about what is not priced; the sums lack it. */
  readonly unpriced: readonly string[];
}

interface Judged {
  readonly resource: Resource;
  readonly verdict: Verdict;
}

function judge(app: App, prices: Prices): Judged[] {
  return app.resources.map((resource) => {
    const { type } = resource;
    if (free.has(type)) return { resource, verdict: {} };
    const rule = rules.get(type);
    const unpriced = `the type ${type} is not priced: add it to bench/cost/rules.ts, or to free.ts with a reason`;
    return { resource, verdict: rule?.({ resource, app, prices }) ?? { unpriced } };
  });
}

/** Adds up what is alike, in the order of the first of each. */
function summed(lines: readonly StandingLine[]): StandingLine[] {
  const alike = Map.groupBy(lines, ({ stack, what, unit, price }) => [stack, what, unit, price].join('\0'));
  return [...alike.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const count = group.reduce((sum, line) => sum + line.count, 0);
    return [{ stack: first.stack, ...charge(first.what, count, first.unit, first.price) }];
  });
}

function usesOf(judged: readonly Judged[], images: number, prices: Prices): UseLine[] {
  // Images are stored in the repository that `cdk bootstrap` makes, which is in no template.
  const stored = Array.from({ length: images }, (): Use => 'imageMonth');
  const uses = [...judged.flatMap(({ verdict }) => verdict.byUse ?? []), ...stored];
  const counted = Map.groupBy(uses, (use) => use);
  return [...counted].map(([use, { length }]) => ({
    use,
    per: use === 'secret' ? 'month' : use in prices.perGb ? 'GB' : 'million',
    resources: length,
    ...priceOfUse(prices, use),
  }));
}

/** The same sentence about several resources is said once. */
function sentencesOf(judged: readonly Judged[]): string[] {
  const unpriced = judged.flatMap(({ resource: { stack, id }, verdict }) =>
    verdict.unpriced ? [{ place: `${stack}/${id}`, sentence: verdict.unpriced }] : [],
  );
  return [...Map.groupBy(unpriced, ({ sentence }) => sentence)].map(
    ([sentence, group]) => `${group.map(({ place }) => place).join(', ')}: ${sentence}.`,
  );
}

function jobLines(recorded: Recorded, scenarios: readonly Scenario[], prices: Prices): JobLine[] {
  return rowsOf(recorded, scenarios).map((row) => ({
    scenario: row.scenario.name,
    title: row.scenario.title,
    ...dollarsOf(prices, row, memoryOf(recorded)),
  }));
}

export interface Basis {
  readonly app: App;
  readonly prices: Prices;
  /** What the ledger has counted. */
  readonly recorded: Recorded;
  readonly scenarios: readonly Scenario[];
}

export function billOf({ app, prices, recorded, scenarios }: Basis): Bill {
  const judged = judge(app, prices);
  const workers = workerHours(app, prices);
  const charges = judged.flatMap(({ resource: { stack }, verdict }) =>
    (verdict.charges ?? []).map((one) => ({ stack, ...one })),
  );
  const idle = idleCalls(recorded, workers, prices).map((one) => ({ stack: 'all', ...one }));
  const standing = summed([...charges, ...idle]);
  const { perMillion, perHour, perMonth, perGb } = prices;
  return {
    region: prices.region,
    pricesOf: asOf({ ...perMillion, ...perHour, ...perMonth, ...perGb }),
    standing,
    standingTotal: standing.reduce((sum, { monthly }) => sum + monthly, 0),
    workers,
    jobs: jobLines(recorded, scenarios, prices),
    byUse: usesOf(judged, app.deployment.images, prices),
    unpriced: sentencesOf(judged),
  };
}
