/** The figures of measured memory, and whether they are within their bounds. */

import { table } from '../../../../bin/pages/aligned-table.ts';
import type { Heap } from '../../../../test/support/heaps.ts';
import { verdict } from '../bounds.ts';
import type { Part, ProcessMemory } from './processes.ts';

/** The service after a number of jobs. */
export interface Sample {
  readonly jobs: number;
  /** Before the forced collection. */
  readonly processes: readonly ProcessMemory[];
  /** After the forced collection. */
  readonly heaps: readonly Heap[];
  /** Size of the state folder, in MB. */
  readonly state: number;
}

/** Maximum memory of the idle service and of an agent at any time, in MB. */
const IDLE = 400;
const AGENT = 150;
/** Maximum growth of the heap per 1,000 jobs after a collection, in MB, over 20,000 jobs. */
const HEAP_GROWTH = 0.1;
/**
 * Maximum growth of the state folder per 1,000 jobs, in MB. DynamoDB keeps the items of a job for a day, and logs grow to
 * their maximum.
 */
const STATE_GROWTH = 3;
/** The part of the jobs after which all code is compiled and all caches are filled. */
const WARM = 0.2;

const MB = 1_024 * 1_024;

/** Returns the slope of the line through the points with the least squares. */
export function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(([one]) => one)), mean(points.map(([, other]) => other))];
  const squares = points.reduce((sum, [one]) => sum + (one - x) ** 2, 0);
  return squares === 0 ? 0 : points.reduce((sum, [one, other]) => sum + (one - x) * (other - y), 0) / squares;
}

const warm = (samples: readonly Sample[]) => {
  const last = samples.at(-1)?.jobs ?? 0;
  return samples.filter(({ jobs }) => jobs >= last * WARM);
};

/** Returns the growth per 1,000 jobs of a value. */
const growth = (samples: readonly Sample[], read: (sample: Sample) => number): number =>
  1_000 * slope(warm(samples).map((sample) => [sample.jobs, read(sample)]));

/**
 * Returns the growth of the heaps per 1,000 jobs, in MB. Threads end when they are idle, so only the heaps that are in
 * all samples count.
 */
export function heapGrowth(samples: readonly Sample[]): number {
  const isIn =
    (name: string) =>
    ({ heaps }: Sample) =>
      heaps.some((heap) => heap.name === name);
  const names = (samples.at(-1)?.heaps ?? []).map(({ name }) => name).filter((name) => warm(samples).every(isIn(name)));
  const used = ({ heaps }: Sample) =>
    heaps.filter(({ name }) => names.includes(name)).reduce((sum, heap) => sum + heap.used, 0) / MB;
  return growth(samples, used);
}

const ofPart = ({ processes }: Sample, part: Part) => processes.filter((process) => process.part === part);
const sum = (processes: readonly ProcessMemory[], of: (process: ProcessMemory) => number) =>
  processes.reduce((total, process) => total + of(process), 0);
const resident = (process: ProcessMemory) => process.resident;
const proportional = (process: ProcessMemory) => process.proportional;
const maxOfAgents = (samples: readonly Sample[]) =>
  Math.max(0, ...samples.flatMap((sample) => ofPart(sample, 'agent').map(resident)));

export interface Row {
  readonly what: string;
  readonly value: string;
  readonly bound?: string;
  readonly isMet?: boolean;
}

const megabytes = (value: number, digits = 0) => `${value.toFixed(digits)} MB`;

function bounded(what: string, value: number, bound: number, digits = 0): Row {
  return { what, value: megabytes(value, digits), bound: megabytes(bound, digits), isMet: value <= bound };
}

/**
 * Returns the rows of the table.
 * @param idle the service before the first job
 */
export function rowsOf(idle: Sample, samples: readonly Sample[]): Row[] {
  const last = samples.at(-1) ?? idle;
  const service = (sample: Sample) => ofPart(sample, 'service');
  const [jobs, max] = [last.jobs.toLocaleString('en'), Math.max(...samples.map((s) => sum(service(s), resident)))];
  const files = samples.map((sample) => sum(service(sample), (process) => process.files));
  return [
    bounded('`npm start` and emulators, idle', sum(service(idle), resident), IDLE),
    { what: '- without memory that they share (PSS)', value: megabytes(sum(service(idle), proportional)) },
    { what: `- maximum during ${jobs} jobs`, value: megabytes(max) },
    bounded('growth of the heap after collection, per 1,000 jobs', heapGrowth(samples), HEAP_GROWTH, 2),
    { what: 'open files and connections, first and last', value: `${files[0] ?? 0}, ${files.at(-1) ?? 0}` },
    bounded('an agent, maximum', maxOfAgents(samples), AGENT),
    { what: 'the ingress, last', value: megabytes(sum(ofPart(last, 'ingress'), resident)) },
    { what: 'containers of the example, last, in total', value: megabytes(sum(ofPart(last, 'container'), resident)) },
    bounded(
      'growth of the state folder, per 1,000 jobs',
      growth(samples, ({ state }) => state),
      STATE_GROWTH,
      2,
    ),
  ];
}

/** Returns a line about one sample. */
export function lineOf({ jobs, processes, heaps, state }: Sample): string {
  const of = (part: Part) => processes.filter((process) => process.part === part);
  const heap = heaps.reduce((total, { used }) => total + used, 0) / MB;
  const agents = of('agent').map((agent) => agent.resident.toFixed(0));
  return [
    `${String(jobs).padStart(6)} jobs`,
    `service ${megabytes(sum(of('service'), resident))} (PSS ${megabytes(sum(of('service'), proportional))})`,
    `heap ${megabytes(heap, 1)} in ${heaps.length} threads`,
    `${sum(of('service'), ({ files }) => files)} files`,
    `agents ${agents.join(', ') || 'none'} MB`,
    `ingress ${megabytes(sum(of('ingress'), resident))}`,
    `state ${megabytes(state, 1)}`,
  ].join('   ');
}

export const markdownOf = (rows: readonly Row[]): string =>
  table(
    ['what', 'measured', 'bound', ' '],
    1,
    rows.map(({ what, value, bound = '', isMet }) => [what, value, bound, isMet === undefined ? '' : verdict(isMet)]),
  );
