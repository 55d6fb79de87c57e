/**
 * `npm run bench -w packages/lab -- memory`: measures the memory of the service while it is idle and during many jobs.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { placeOf } from '../../../../bin/pages/document-section.ts';
import { collectHeaps } from '../../../../test/support/heaps.ts';
import { type Inspector, openInspector } from '../../../../test/support/inspector.ts';
import { type Service, startService } from '../../../../test/support/service.ts';
import { verdict } from '../bounds.ts';
import { report } from '../command.ts';
import { createClients } from '../waiting-calls/clients.ts';
import { lineOf, markdownOf, type Row, rowsOf, type Sample } from './figures.ts';
import { openLoad } from './load.ts';
import { HELP, readOptions } from './options.ts';
import { memoryOfTree, sizeOfFolder } from './processes.ts';

const SAMPLES = 10;
/** Milliseconds after the start until the service counts as idle. */
const REST = 10_000;

const place = placeOf(
  'explanation/laptop-performance.md',
  'memory',
  'npm run bench -w packages/lab -- memory --record',
);

async function takeSample({ pid, stateDir }: Service, inspector: Inspector, jobs: number): Promise<Sample> {
  const processes = memoryOfTree(pid);
  const sample = { jobs, processes, heaps: await collectHeaps(inspector), state: sizeOfFolder(stateDir) };
  report(lineOf(sample));
  return sample;
}

async function measure(service: Service, jobs: number): Promise<Row[]> {
  await delay(REST);
  const inspector = await openInspector(service.inspectorUrl ?? '');
  const clients = createClients(service);
  const load = await openLoad(clients);
  try {
    const idle = await takeSample(service, inspector, 0);
    const samples: Sample[] = [];
    for (let n = 1; n <= SAMPLES; n += 1) {
      const until = Math.round((jobs * n) / SAMPLES);
      await load.run(until - (samples.at(-1)?.jobs ?? 0));
      samples.push(await takeSample(service, inspector, until));
    }
    return rowsOf(idle, samples);
  } finally {
    load.stop();
    clients.stop();
    inspector.close();
  }
}

export async function main(args: readonly string[]): Promise<void> {
  const { help, jobs, record } = readOptions(args);
  if (help) return void console.log(HELP);
  report('Starting the service ...');
  const service = await startService(undefined, { nodeArguments: ['--inspect=127.0.0.1:0'], isLogged: false });
  try {
    const rows = await measure(service, jobs);
    for (const { what, value, bound = '', isMet } of rows)
      console.log(
        `${what.padEnd(52)} ${value.padStart(10)}   ${bound.padEnd(9)} ${isMet === undefined ? '' : verdict(isMet)}`.trimEnd(),
      );
    if (record) place.write(markdownOf(rows));
    if (rows.some(({ isMet }) => isMet === false)) process.exitCode = 1;
  } finally {
    await service.stop();
  }
}
