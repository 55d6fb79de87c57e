/** `npm run bench -w packages/lab -- calls`: measures what a job costs in AWS, call by call. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readApp } from '../../../../bin/assembly/app.ts';
import {
  type Measurement,
  type Recorded,
  type RecordedScenario,
  readRecord,
  writeRecord,
} from '../../../../bin/job-calls/record.ts';
import { readPrices } from '../../../../lib/prices/prices.ts';
import { bundlesIn } from '../../../../test/support/function-bundles.ts';
import { type Service, startService } from '../../../../test/support/service.ts';
import { report } from '../command.ts';
import { type BenchRecord, readBenchRecord, writeBenchRecord } from './bench-record.ts';
import { openCallLog } from './call-log.ts';
import { changedLines, growthOf, hasShrunk, vanished } from './compare.ts';
import { CONCURRENT, withConcurrency } from './concurrent.ts';
import { createDrive, type Drive } from './drive.ts';
import { measure } from './measure.ts';
import { HELP, type Options, readOptions } from './options.ts';
import { factsOf, pending, type Scenario, scenarios } from './scenarios.ts';
import { measureStanding } from './standing.ts';
import { grownStreams, measureStreams } from './streams.ts';
import { callsPlace, render, renderSome } from './table.ts';
import { grownWaits, measureWaits } from './waits.ts';

async function withService<Result>(
  assembly: string | undefined,
  use: (drive: Drive, service: Service) => Promise<Result>,
  endpoint?: string,
): Promise<Result> {
  const service = await startService(assembly);
  const log = openCallLog(service.callLog);
  const receiver = createServer((_, response) => response.end());
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const { port } = receiver.address() as AddressInfo;
  try {
    return await use(createDrive(service, log, `http://127.0.0.1:${port}/`, endpoint), service);
  } finally {
    log.close();
    await service.stop();
    receiver.close();
  }
}

/** @returns a sentence for each pending scenario whose route exists */
async function checkPending(drive: Drive): Promise<string[]> {
  const probes = pending.map(async ({ name, method, path }) => ({
    name,
    answer: await drive.request(method, path),
  }));
  return (await Promise.all(probes))
    .filter(({ answer }) => answer.json.code !== 'ROUTE_NOT_FOUND')
    .map(({ name }) => `The route of ${name} exists: move it from \`pending\` to \`scenarios\`.`);
}

async function measureAll(
  drive: Drive,
  those: readonly Scenario[],
  isEnough: (scenario: Scenario, first: Measurement) => boolean = () => false,
): Promise<Record<string, Measurement>> {
  const measured: Record<string, Measurement> = {};
  for (const scenario of those) {
    report(`${scenario.name} ...`);
    measured[scenario.name] = await measure(drive, scenario, (first) => isEnough(scenario, first));
  }
  return measured;
}

/** Measures the scenarios. Those with `concurrency` run on a service of their own. */
async function measureThose(
  drive: Drive,
  { assembly }: Service,
  those: readonly Scenario[],
  isEnough?: (scenario: Scenario, first: Measurement) => boolean,
): Promise<Record<string, Measurement>> {
  const measured = await measureAll(
    drive,
    those.filter(({ concurrency }) => concurrency === undefined),
    isEnough,
  );
  for (const scenario of those) {
    if (scenario.concurrency === undefined) continue;
    const measureIt = (own: Drive) => measureAll(own, [scenario], isEnough);
    const itsOwn = (changed: string) => withService(changed, measureIt, CONCURRENT);
    Object.assign(measured, await withConcurrency(assembly, scenario.concurrency, itsOwn));
  }
  return measured;
}

/** @returns whether no scenario has grown */
async function check({ assembly, only }: Options): Promise<boolean> {
  const those = scenarios.filter(({ name }) => only?.includes(name) ?? true);
  const { scenarios: recorded } = readRecord();
  const { streams, waits } = readBenchRecord();
  readPrices();
  const growth = (scenario: Scenario, now: Measurement) => growthOf(scenario, recorded[scenario.name], now);
  const complaints = await withService(assembly, async (drive, service) => {
    const isEnough = (scenario: Scenario, first: Measurement) => growth(scenario, first).length === 0;
    const measured = await measureThose(drive, service, those, isEnough);
    const all = Object.entries(measured).flatMap(([name, now]) => {
      const scenario = scenarios.find((one) => one.name === name);
      const before = recorded[name];
      if (!scenario) return [];
      const sentences = growth(scenario, now);
      if (before && sentences.length > 0) return [...sentences, ...changedLines(before, now)];
      if (before && hasShrunk(scenario, before, now)) report(`${name} costs less than recorded: run with --record.`);
      return sentences;
    });
    const names = scenarios.map(({ name }) => name);
    return [...all, ...vanished(Object.keys(recorded), names), ...(await checkPending(drive))];
  });
  complaints.push(...grownWaits(waits, await measureWaits()), ...grownStreams(streams, await measureStreams()));
  for (const sentence of complaints) report(sentence);
  if (complaints.length === 0) report('No scenario has grown.');
  return complaints.length === 0;
}

/** Both records, which `--record` writes. */
interface Records {
  readonly recorded: Recorded;
  readonly bench: BenchRecord;
}

/** Returns the scenarios that have a measurement, in the order of the tables. */
function withFacts(measured: Readonly<Record<string, Measurement>>): Record<string, RecordedScenario> {
  const entries = scenarios.flatMap((scenario) => {
    const measurement = measured[scenario.name];
    return measurement ? [[scenario.name, { ...factsOf(scenario), ...measurement }] as const] : [];
  });
  return Object.fromEntries(entries);
}

async function measureEverything({ assembly }: Options): Promise<Records> {
  return withService(assembly, async (drive, service) => {
    const complaints = await checkPending(drive);
    if (complaints.length > 0) throw new Error(complaints.join('\n'));
    const measured = await measureThose(drive, service, scenarios);
    report('the calls of an idle service ...');
    const standing = await withService(service.assembly, (idle) => measureStanding(idle));
    const app = readApp(service.assembly);
    const recorded = {
      date: new Date().toISOString().slice(0, 10),
      scenarios: withFacts(measured),
      standing,
      endpoints: app.resources.filter(({ type }) => type === 'Custom::Endpoint').length,
      memory: Math.max(
        ...bundlesIn(app, service.assembly).map(({ resource }) => Number(resource.properties.MemorySize)),
      ),
    };
    return { recorded, bench: { waits: await measureWaits(), streams: await measureStreams() } };
  });
}

/** Measures some scenarios, and replaces only their measurements in the record. */
async function measureSome({ assembly, only = [] }: Options): Promise<Records> {
  const those = scenarios.filter(({ name }) => only.includes(name));
  const measured = await withService(assembly, (drive, service) => measureThose(drive, service, those));
  const recorded = readRecord();
  return {
    recorded: { ...recorded, scenarios: withFacts({ ...recorded.scenarios, ...measured }) },
    bench: readBenchRecord(),
  };
}

export async function main(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  if (options.mode === 'help') return void console.log(HELP);
  if (options.mode === 'check') {
    if (!(await check(options))) process.exitCode = 1;
    return;
  }
  const prices = readPrices();
  const { recorded, bench } = await (options.only ? measureSome(options) : measureEverything(options));
  const tables = render(recorded, bench, prices, pending);
  console.log(options.only ? renderSome(recorded, prices, options.only) : tables);
  if (options.mode === 'record') {
    writeRecord(recorded);
    writeBenchRecord(bench);
    callsPlace.write(tables);
  }
}
