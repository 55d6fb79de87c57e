/** Calculates the cost of the synthesized stacks: while nothing runs, per hour of a worker, and per million jobs. */

import { asOf, type PriceRow, type Prices } from '../../lib/prices/prices.ts';
import type { App, Resource } from '../assembly/app.ts';
import { type Dollars, dollarsOf } from '../job-calls/dollars.ts';
import { type Recorded, rowsOf } from '../job-calls/record.ts';
import { type Charge, charge, priceOfUse, type Use, type Verdict } from './charge.ts';
import { free } from './free.ts';
import { idleCalls } from './idle.ts';
import { type ImagePull, imagePulls } from './images.ts';
import { type ObservationLine, observationOf } from './observation.ts';
import { rules } from './rules.ts';
import {
  distributionDollars,
  functionDollars,
  type IngressTask,
  ingressDollars,
  ingressResources,
  ingressTaskOf,
} from './ways.ts';
import { type WorkerHour, workerHours } from './workers.ts';

export interface StandingLine extends Charge {
  /** Name of the stack, or `all` for calls that belong to no stack. */
  readonly stack: string;
}

export interface UseLine extends PriceRow {
  readonly use: Use;
  readonly per: 'GB' | 'million' | 'month' | 'hour';
  /** Number of resources with this charge. */
  readonly resources: number;
}

/** Cost of a scenario. The total is for requests to API Gateway's own address. */
export interface JobLine extends Dollars {
  readonly scenario: string;
  readonly title: string;
  /** Additional cost if the ingress serves the calls instead of functions. */
  readonly ingress: number;
  /** Additional cost of the distribution. */
  readonly distribution: number;
  /** Total at the published address. */
  readonly published: number;
}

/**
 * US dollars of waiting calls. API Gateway and the authorizer are not included, because their cost is the same in
 * both cases.
 */
export interface Waits {
  readonly calls: number;
  readonly seconds: number;
  readonly inFunctions: number;
  /** @default - there is no ingress */
  readonly inIngress?: number;
}

export interface Bill {
  readonly region: string;
  /** Day of the oldest price. */
  readonly pricesOf: string;
  readonly standing: readonly StandingLine[];
  /** US dollars a month of everything that is priced. */
  readonly standingTotal: number;
  /** The part of `standingTotal` that `-c ingress=off` removes. */
  readonly standingOfIngress: number;
  readonly waits: Waits;
  readonly workers: readonly WorkerHour[];
  readonly observation: readonly ObservationLine[];
  /** Images that come through the NAT gateway. */
  readonly pulls: readonly ImagePull[];
  /** US dollars for a million jobs. */
  readonly jobs: readonly JobLine[];
  readonly byUse: readonly UseLine[];
  /** Sentences about resources that are not priced. The sums do not include them. */
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
    const unpriced = `the type ${type} is not priced: add it to bin/cost/rules.ts, or to free.ts with a reason`;
    return { resource, verdict: rule?.({ resource, app, prices }) ?? { unpriced } };
  });
}

/** Merges equal lines, in the order of the first line of each group. */
function summed(lines: readonly StandingLine[]): StandingLine[] {
  const alike = Map.groupBy(lines, ({ stack, what, unit, price }) => [stack, what, unit, price].join('\0'));
  return [...alike.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const count = group.reduce((sum, line) => sum + line.count, 0);
    return [{ stack: first.stack, ...charge(first.what, count, first.unit, first.price) }];
  });
}

function perOf(use: Use, { perGb }: Prices): UseLine['per'] {
  if (use === 'secret') return 'month';
  if (use === 'balancerUnit') return 'hour';
  return use in perGb ? 'GB' : 'million';
}

function usesOf(judged: readonly Judged[], images: number, prices: Prices): UseLine[] {
  // Images are stored in the repository that `cdk bootstrap` creates, which is in no template.
  const stored = Array.from({ length: images }, (): Use => 'imageMonth');
  const uses = [...judged.flatMap(({ verdict }) => verdict.byUse ?? []), ...stored];
  const counted = Map.groupBy(uses, (use) => use);
  return [...counted].map(([use, { length }]) => ({
    use,
    per: perOf(use, prices),
    resources: length,
    ...priceOfUse(prices, use),
  }));
}

/** Merges equal sentences about several resources. */
function sentencesOf(judged: readonly Judged[]): string[] {
  const unpriced = judged.flatMap(({ resource: { stack, id }, verdict }) =>
    verdict.unpriced ? [{ place: `${stack}/${id}`, sentence: verdict.unpriced }] : [],
  );
  return [...Map.groupBy(unpriced, ({ sentence }) => sentence)].map(
    ([sentence, group]) => `${group.map(({ place }) => place).join(', ')}: ${sentence}.`,
  );
}

const MILLION = 1_000_000;

/** @param task task of the ingress, if there is an ingress */
function jobLines({ recorded, prices }: Basis, task: IngressTask | undefined): JobLine[] {
  const { memory } = recorded;
  return rowsOf(recorded).map((row) => {
    const { name, title, waiting = 0, held = 0 } = row;
    const { apiGateway, lambda, dataPlane } = dollarsOf(prices, row, memory);
    const moved = { count: waiting * MILLION, held };
    const ingress = task ? ingressDollars(prices, task, moved) : 0;
    const functions = lambda - (task ? functionDollars(prices, memory, moved) : 0);
    const total = apiGateway + functions + dataPlane + ingress;
    const distribution = row.requests * distributionDollars(prices);
    const published = total + distribution;
    return { scenario: name, title, apiGateway, lambda: functions, dataPlane, ingress, total, distribution, published };
  });
}

const WAITS = { calls: 1_000, seconds: 60 } as const;

function waitsOf({ recorded, prices }: Basis, task: IngressTask | undefined): Waits {
  const requests = { count: WAITS.calls, held: WAITS.seconds * 1_000 };
  const inFunctions = functionDollars(prices, recorded.memory, requests);
  return { ...WAITS, inFunctions, ...(task && { inIngress: ingressDollars(prices, task, requests) }) };
}

export interface Basis {
  readonly app: App;
  readonly prices: Prices;
  /** The calls that `npm run bench -w packages/lab -- calls` has counted. */
  readonly recorded: Recorded;
}

export function billOf(basis: Basis): Bill {
  const { app, prices, recorded } = basis;
  const task = ingressTaskOf(app, prices);
  const judged = judge(app, prices);
  const workers = workerHours(app, prices);
  const charges = judged.flatMap(({ resource: { stack }, verdict }) =>
    (verdict.charges ?? []).map((one) => ({ stack, ...one })),
  );
  const idle = idleCalls(recorded, workers, prices).map((one) => ({ stack: 'all', ...one }));
  const standing = summed([...charges, ...idle]);
  const ofIngress = ingressResources(app);
  const standingOfIngress = judged
    .filter(({ resource }) => ofIngress.has(resource))
    .flatMap(({ verdict }) => verdict.charges ?? [])
    .reduce((sum, { monthly }) => sum + monthly, 0);
  const { perMillion, perHour, perMonth, perGb } = prices;
  return {
    region: prices.region,
    pricesOf: asOf({ ...perMillion, ...perHour, ...perMonth, ...perGb }),
    standing,
    standingTotal: standing.reduce((sum, { monthly }) => sum + monthly, 0),
    standingOfIngress,
    waits: waitsOf(basis, task),
    workers,
    observation: observationOf(app, standing, prices),
    pulls: imagePulls(app, prices),
    jobs: jobLines(basis, task),
    byUse: usesOf(judged, app.deployment.images, prices),
    unpriced: sentencesOf(judged),
  };
}
