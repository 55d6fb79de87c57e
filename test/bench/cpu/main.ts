/** `npm run bench -- cpu`: measures the processor time of a job by part, and what clients of a laptop see. */
import { randomInt } from 'node:crypto';
import { report } from '../command.ts';
import { type Service, startService } from '../service.ts';
import { createJobClients } from './clients.ts';
import {
  isMet,
  loadRows,
  partsTable,
  pickUpRows,
  productRows,
  type Row,
  runsyncRows,
  startRows,
  tableOf,
} from './figures.ts';
import { measureLoad, warmUp } from './load.ts';
import { HELP, type Options, readOptions } from './options.ts';
import { timesByPart } from './parts.ts';
import { arrivals, pickUps, randomFrom } from './pickup.ts';
import { timeStarts } from './starts.ts';

/** Number of `/runsync` requests, one after the other. */
const RUNSYNCS = 50;
/** Rate of the pick-up if no load was measured: half of the bound of the load. */
const DEFAULT_RATE = 60;

interface Figures {
  readonly product: readonly Row[];
  readonly laptop: readonly Row[];
  /** Table of the parts. */
  readonly parts: string;
}

async function measure(service: Service, options: Options): Promise<Figures> {
  const clients = createJobClients(service);
  try {
    await warmUp(clients, options.clients);
    const load = options.only.includes('load') && (await measureLoad(service, options.jobs, options.clients));
    const laptop: Row[] = load ? loadRows(load) : [];
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
    return {
      laptop,
      product: load ? productRows(load) : [],
      parts: load ? partsTable('part', timesByPart(load.uses.threads), load.counts.jobs) : '',
    };
  } finally {
    clients.stop();
  }
}

export async function main(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  if (options.help) return void console.log(HELP);
  const rows: Row[] = [];
  if (options.only.some((part) => part !== 'start')) {
    report('Starting the service ...');
    const service = await startService();
    try {
      const { parts, product, laptop } = await measure(service, options);
      if (parts) console.log(`${parts}\n\n${tableOf('work of a job that AWS does too', product)}\n`);
      console.log(tableOf('on this machine', laptop));
      rows.push(...product, ...laptop);
    } finally {
      await service.stop();
    }
  }
  if (options.only.includes('start')) {
    report(`${options.starts} first and second starts ...`);
    const starts = startRows(await timeStarts(options.starts));
    console.log(`\n${tableOf('start', starts)}`);
    rows.push(...starts);
  }
  if (!rows.every(isMet)) process.exitCode = 1;
}
