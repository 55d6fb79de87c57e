/**
 * `npm run bench -w packages/lab -- cpu`: measures the processor time of a job by part, and what clients of a laptop
 * see.
 */
import { randomInt } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { placeOf } from '../../../../bin/pages/document-section.ts';
import { type Service, startService } from '../../../../test/support/service.ts';
import { report } from '../command.ts';
import { compareWith, comparisonTable, isWithin } from './against.ts';
import { createJobClients, runJobs } from './clients.ts';
import {
  firstRows,
  functionsTable,
  isMet,
  loadRows,
  medianRows,
  middleOf,
  partsTable,
  pickUpRows,
  productRows,
  type Row,
  runsyncRows,
  splitTable,
  startRows,
  tableOf,
} from './figures.ts';
import { type Load, measureLoad, warmUp } from './load.ts';
import { HELP, type Options, readOptions } from './options.ts';
import { timesByPart } from './parts.ts';
import { arrivals, pickUps, randomFrom } from './pickup.ts';
import { profileDuring, type TakenProfile } from './profiles.ts';
import { timeStarts } from './starts.ts';

const DOCUMENT = 'explanation/laptop-performance.md';
const COMMAND = 'npm run bench -w packages/lab -- cpu --record';
/** Number of `/runsync` requests, one after the other. */
const RUNSYNCS = 50;
/** Number of jobs after the warm-up that are measured by themselves, while V8 still compiles code of the service. */
const FIRST = 500;
/** Jobs per second of the pick-up if no load was measured: about half of the rate of a load. */
const DEFAULT_RATE = 60;

interface Figures {
  readonly product: readonly Row[];
  readonly laptop: readonly Row[];
  /** The table of the parts, which is printed and not recorded. Undefined without a load. */
  readonly parts: string | undefined;
  /** Tables of the main thread and of functions, which are printed and not recorded. */
  readonly profiled: readonly string[];
}

function keep(folder: string, profiles: readonly TakenProfile[]): void {
  mkdirSync(folder, { recursive: true });
  for (const { part, profile } of profiles)
    writeFileSync(join(folder, `${part.replaceAll(/[^\w]+/g, '-')}.cpuprofile`), JSON.stringify(profile));
}

/** Repeats the load with profiles, which slow it. Returns the tables of the main thread and of functions. */
async function profile(service: Service, load: Load, { jobs, clients, out }: Options): Promise<string[]> {
  report(`${jobs} jobs of ${clients} clients with CPU profiles ...`);
  const submitting = createJobClients(service);
  try {
    const profiles = await profileDuring(service, async () => void (await runJobs(submitting, jobs, clients)));
    if (out !== undefined) keep(out, profiles);
    const times = timesByPart(load.uses.threads);
    return [splitTable(profiles, times, jobs), functionsTable(profiles, times, jobs)];
  } finally {
    submitting.stop();
  }
}

async function measure(service: Service, options: Options): Promise<Figures> {
  const clients = createJobClients(service);
  try {
    await warmUp(clients, options.clients);
    const laptop: Row[] = [];
    const loads: Load[] = [];
    if (options.only.includes('load')) {
      const first = await measureLoad(service, FIRST, options.clients);
      while (loads.length < options.loads) loads.push(await measureLoad(service, options.jobs, options.clients));
      laptop.push(...medianRows(loads.map(loadRows)), ...firstRows(first));
    }
    const load = middleOf(loads);
    if (options.only.includes('runsync')) {
      report(`${RUNSYNCS} requests of /runsync ...`);
      const times: number[] = [];
      for (let n = 0; n < RUNSYNCS; n += 1) times.push(await clients.runsync());
      laptop.push(...runsyncRows(times));
    }
    if (options.only.includes('pickup')) {
      const rate = options.rate ?? (load ? load.counts.jobs / load.seconds / 2 : DEFAULT_RATE);
      const seed = options.seed ?? randomInt(1, 10_000_000);
      report(`${options.jobs} jobs at ${rate.toFixed(1)} jobs/s, seed ${seed} ...`);
      laptop.push(...pickUpRows(await pickUps(clients, arrivals(options.jobs, rate, randomFrom(seed))), rate));
    }
    if (!load) return { laptop, product: [], parts: undefined, profiled: [] };
    const parts = partsTable('part', timesByPart(load.uses.threads), load.counts.jobs);
    const profiled = options.profile ? await profile(service, load, options) : [];
    return { laptop, product: medianRows(loads.map(productRows)), parts, profiled };
  } finally {
    clients.stop();
  }
}

/** Writes the tables into the document, without the counts that only describe the run. */
function record(product: readonly Row[], laptop: readonly Row[]): void {
  const place = (name: string) => placeOf(DOCUMENT, name, COMMAND);
  place('processor time').write(tableOf('work of a job that AWS does too', product));
  const times = laptop.filter(({ unit }) => unit !== '');
  place('on a laptop').write(tableOf('on a laptop', times));
}

async function measureService(options: Options): Promise<Figures> {
  report('Starting the service ...');
  const nodeArguments = options.profile ? ['--inspect=127.0.0.1:0'] : [];
  const service = await startService(undefined, { nodeArguments, isLogged: false });
  try {
    return await measure(service, options);
  } finally {
    await service.stop();
  }
}

export async function main(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  if (options.help) return void console.log(HELP);
  if (options.against !== undefined) {
    const comparisons = await compareWith(options.against, options);
    console.log(comparisonTable(comparisons));
    if (!comparisons.every(isWithin)) process.exitCode = 1;
    return;
  }
  const withService = options.only.some((part) => part !== 'start');
  const { parts, profiled, product, laptop } = withService
    ? await measureService(options)
    : { parts: undefined, profiled: [], product: [], laptop: [] };
  for (const text of parts === undefined ? profiled : [parts, ...profiled]) console.log(`${text}\n`);
  if (product.length > 0) console.log(`${tableOf('work of a job that AWS does too', product)}\n`);
  if (laptop.length > 0) console.log(tableOf('on a laptop', laptop));
  const starts: Row[] = [];
  if (options.only.includes('start')) {
    report(`${options.starts} first and second starts ...`);
    starts.push(...startRows(await timeStarts(options.starts)));
    console.log(`\n${tableOf('start', starts)}`);
  }
  const rows = [...laptop, ...starts];
  if (options.record) record(product, rows);
  if (![...product, ...rows].every(isMet)) process.exitCode = 1;
}
