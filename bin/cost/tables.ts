/** Renders a bill as Markdown tables. */
import { dollars, table } from '../pages/aligned-table.ts';
import { placeOf } from '../pages/document-section.ts';
import type { Bill } from './bill.ts';
import type { Unit } from './charge.ts';

/** The section of docs/reference/costs.md with the standing costs. */
export const costPlace = placeOf('reference/costs.md', 'cost', 'npx gpu-endpoints cost estimate --record');

/** A price with four significant digits: prices are smaller than sums, which have cents. */
const price = (value: number) => String(Number(value.toPrecision(4)));
const counted = (value: number) => String(Math.round(value));
const units: Readonly<Record<Unit, string>> = { hour: '730 hours', month: 'a month', million: 'of a million' };

const standingTable = ({ standing, standingTotal }: Bill): string =>
  table(['stack', 'resource', 'unit', 'quantity', 'price', '$/month'], 3, [
    ...standing.map((line) => [
      line.stack,
      line.what,
      units[line.unit],
      counted(line.count),
      price(line.price),
      dollars(line.monthly),
    ]),
    ['all', '**total of priced resources**', '', '', '', dollars(standingTotal)],
  ]);

export const NOT_PRICED = 'not priced';

const workerTable = ({ workers }: Bill): string =>
  table(
    [
      'endpoint',
      'a worker runs on',
      'at least',
      'at most',
      '$/hour of one',
      '$/hour at most',
      '$/hour of the disk of an instance',
      '$ of empty instances',
    ],
    2,
    workers.map(({ endpoint, runsOn, minWorkers, maxWorkers, hour, disk, empty }) => [
      `\`${endpoint}\``,
      runsOn,
      minWorkers,
      maxWorkers,
      hour === undefined ? NOT_PRICED : hour.toFixed(4),
      hour === undefined ? NOT_PRICED : (hour * maxWorkers).toFixed(4),
      disk === undefined ? '' : disk.toFixed(4),
      empty === undefined ? '' : empty.toFixed(4),
    ]),
  );

/** GB of an image with the libraries of a GPU and a model. */
const LARGE_IMAGE = 15;

function pullTable({ pulls }: Bill): string[] {
  if (pulls.length === 0) return [];
  const head = [
    'endpoint',
    'image outside of Amazon ECR',
    'pulled by each new',
    '$/GB through the NAT gateway',
    `$ of ${LARGE_IMAGE} GB`,
  ];
  const rows = pulls.map(({ endpoint, image, pulledBy, perGb }) => [
    `\`${endpoint}\``,
    image,
    pulledBy,
    price(perGb),
    dollars(LARGE_IMAGE * perGb),
  ]);
  return ['', table(head, 3, rows)];
}

const jobTable = ({ jobs }: Bill): string =>
  table(
    [
      'a million times',
      'what happens',
      'API Gateway',
      'Lambda',
      'ingress',
      'data plane',
      "$ at API Gateway's address",
      'CloudFront',
      '$ at the published address',
    ],
    2,
    jobs.map(({ scenario, title, apiGateway, lambda, ingress, dataPlane, total, distribution, published }) => [
      `\`${scenario}\``,
      title,
      ...[apiGateway, lambda, ingress, dataPlane, total, distribution, published].map(dollars),
    ]),
  );

/** Formats fractions of a cent. */
const fine = (value: number) => value.toFixed(4);

function waitTable({ waits: { calls, seconds, inFunctions, inIngress } }: Bill): string {
  const rows = [['with functions (`ingress: off`)', fine(inFunctions)]];
  if (inIngress !== undefined) rows.unshift(['with the ingress', fine(inIngress)]);
  return table([`${calls} calls that wait for ${seconds} s`, '$'], 1, rows);
}

/** Returns a sentence about the cost with and without the ingress. */
export function modes({ standingTotal, standingOfIngress }: Bill): string[] {
  if (standingOfIngress === 0) return [];
  const [its, rest] = [standingOfIngress, standingTotal - standingOfIngress].map(dollars);
  return ['', `The ingress costs $${its} of this total. With \`-c ingress=off\`, the total is $${rest}.`];
}

const useTable = ({ byUse }: Bill): string =>
  table(
    ['by use', 'source of the price', 'date of the price', 'resources', 'price', 'per'],
    3,
    byUse.map(({ use, resources, price: one, per, source, date }) => [use, source, date, resources, price(one), per]),
  );

export const pricesOf = ({ region, pricesOf: day }: Bill): string =>
  `Prices of ${region}, the oldest of ${day}; a month has 730 hours.`;

/** Renders the costs while nothing runs, of an hour of each worker, of pulled images and of waiting calls. */
export function renderStanding(bill: Bill): string {
  const workers = bill.workers.length > 0 ? ['', workerTable(bill)] : [];
  return [
    pricesOf(bill),
    '',
    standingTable(bill),
    ...modes(bill),
    ...workers,
    ...pullTable(bill),
    '',
    waitTable(bill),
  ].join('\n');
}

/** Returns the lines about what is not priced, if there are any. */
export function unpricedOf({ unpriced }: Bill): string[] {
  const missing = unpriced.map((sentence) => `- ${sentence}`);
  return missing.length > 0 ? ['', '## Not priced: the sums lack it', '', ...missing] : [];
}

const observationTable = ({ observation }: Bill): string =>
  table(
    ['endpoint', 'alarms, $/month', 'metrics if it always has jobs, $/month'],
    1,
    observation.map(({ endpoint, alarms, metrics }) => [endpoint, dollars(alarms), dollars(metrics)]),
  );

/** Renders all tables. */
export function render(bill: Bill): string {
  return [
    '## While nothing runs, and an hour of a worker',
    '',
    renderStanding(bill),
    '',
    '## Alarms and metrics of endpoints',
    '',
    observationTable(bill),
    '',
    '## A million jobs, without their workers',
    '',
    jobTable(bill),
    '',
    '## Also charged by use: what jobs store, log and move',
    '',
    useTable(bill),
    ...unpricedOf(bill),
  ].join('\n');
}
