/**
 * The job API by a client that keeps to the contract, twice: as it is, and with faults in 1 % of the AWS calls behind it
 * for each kind of fault. What was acknowledged must be kept either way.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { faultKinds } from '../../local/front/fault-plan.ts';
import { createClient } from './api/client.ts';
import { jobsTableOf, settledCounts } from './api/counters.ts';
import { readFaults, summaryOf } from './api/fault-summary.ts';
import { doJobs } from './api/jobs.ts';
import { unexplainedErrors } from './api/logged-errors.ts';
import { checkRefusals } from './api/refusals.ts';
import { sharedAssembly } from './assembly.ts';
import { type LocalService, newStateDir, removeStateDir, startService, stopService } from './local-service.ts';

/**
 * By default one that hits workers early and not at the end, when nothing is left but to wait for a job that has lost
 * its hint twice. Any other must pass too: FAULT_SEED=7 npm test -- test/acceptance/api-under-faults.test.ts
 */
const SEED = process.env.FAULT_SEED ?? '324';
const LIMIT = 180_000;

const folder = newStateDir();
let assembly: string;
const faultLog = join(folder, 'faults.jsonl');

interface Variant {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly jobs: number;
  /** Whether workers die, so that a job may start anew. */
  readonly workersDie: boolean;
}

const faultless: Variant = { name: 'without faults', env: {}, jobs: 60, workersDie: false };
const faulty: Variant = {
  name: 'with 1 % of each fault',
  env: { LOCAL_FAULTS: `seed=${SEED},each=0.01`, LOCAL_FAULT_LOG: faultLog },
  // As many as it takes for faults of every kind.
  jobs: 160,
  workersDie: true,
};

const services: LocalService[] = [];
/** What was wrong, by the name of the variant. */
const problems = new Map<string, Promise<readonly string[]>>();

async function exercise(
  { name, env, jobs: count, workersDie }: Variant,
  lastBegins: () => void,
): Promise<readonly string[]> {
  const stateDir = join(folder, name.replaceAll(/\W+/g, '-'));
  const service = await startService(stateDir, { args: ['--assembly', assembly], env });
  services.push(service);
  const begin = Date.now();
  const client = createClient(service);
  const jobs = doJobs(client, count, { mayLose: workersDie, lastBegins });
  const found = (await Promise.all([jobs, checkRefusals(client)])).flat();
  const counts = await settledCounts(service, client, jobsTableOf(assembly));
  const told = [`${Date.now() - begin} ms`, JSON.stringify(counts), `asked again: ${JSON.stringify(client.repeats)}`];
  console.log(`${name}: ${told.join(', ')}`);
  return [...found, ...client.malformed, ...unexplainedErrors(stateDir)];
}

function begin(variant: Variant, after: Promise<unknown>): Promise<unknown> {
  const { promise: lastBegins, resolve } = Promise.withResolvers<void>();
  const outcome = after.then(() => exercise(variant, resolve));
  problems.set(variant.name, outcome);
  // Its test hears of a failure, whenever it comes to ask.
  return Promise.race([lastBegins, outcome.catch(() => undefined)]);
}

beforeAll(async () => {
  assembly = await sharedAssembly();
  // A hint that was lost with its receiver shows again after 30 s: the other variant runs while this one waits for it.
  const waits = begin(faulty, Promise.resolve());
  void begin(faultless, waits);
}, 120_000);

afterAll(async () => {
  await Promise.allSettled(problems.values());
  await Promise.all(services.map(stopService));
  removeStateDir(folder);
}, LIMIT);

describe('the job API', () => {
  it.each([faultless.name, faulty.name])(
    '%s keeps what it has acknowledged, and counts it',
    async (name) => {
      expect(await problems.get(name)).toEqual([]);
    },
    LIMIT,
  );
});

describe('the faults', () => {
  it(
    'were of every kind',
    async () => {
      await Promise.allSettled([problems.get(faulty.name)]);
      const faults = readFaults(faultLog);
      console.log(`seed ${SEED}\n${summaryOf(faults, faultKinds)}`);
      expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(faultKinds));
    },
    LIMIT,
  );
});
