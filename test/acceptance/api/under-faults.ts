/**
 * Tests that the job API keeps acknowledged jobs, with and without faults in some of its AWS calls. The client
 * follows the contract.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { faultKinds } from '../../../packages/emulator/aws-proxy/fault-plan.ts';
import { sharedAssembly } from '../assembly.ts';
import { type LocalService, newStateDir, startService, stopService } from '../local-service.ts';
import { createClient } from './client.ts';
import { jobsTableOf, matchingCounts } from './counters.ts';
import { readFaults, summaryOf } from './fault-summary.ts';
import { doJobs } from './jobs.ts';
import { unexplainedErrors } from './logged-errors.ts';
import { checkRefusals } from './refusals.ts';

/** Milliseconds until the last job has ended on a busy machine. */
const LIMIT = 300_000;

interface Variant {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly jobs: number;
  /** Whether workers die, so that a job can start again. */
  readonly workersDie: boolean;
}

export interface Exercise {
  /** Seed of the faults. Every seed must pass. */
  readonly seed: number;
  /** Percentage of AWS calls that meet each kind of fault. */
  readonly percent: number;
  /**
   * Number of jobs without faults.
   * @default - no service without faults is started
   */
  readonly without?: number;
  /** Number of jobs with faults: enough to meet faults of every kind. */
  readonly withFaults: number;
}

export function describeApiUnderFaults({ seed, percent, without = 0, withFaults }: Exercise): void {
  const folder = newStateDir();
  let assembly: string;
  const faultLog = join(folder, 'faults.jsonl');

  const faultless: Variant = { name: 'without faults', env: {}, jobs: without, workersDie: false };
  const faulty: Variant = {
    name: `with ${percent} % of each fault`,
    env: { LOCAL_FAULTS: `seed=${seed},each=${percent / 100}`, LOCAL_FAULT_LOG: faultLog },
    jobs: withFaults,
    workersDie: true,
  };

  const variants = without > 0 ? [faultless, faulty] : [faulty];

  const services: LocalService[] = [];
  /** Problems by name of the variant. */
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
    const counts = await matchingCounts(service, client, jobsTableOf(assembly));
    const figures = [`${Date.now() - begin} ms`, JSON.stringify(counts), `retries: ${JSON.stringify(client.repeats)}`];
    console.log(`${name}: ${figures.join(', ')}`);
    return [...found, ...client.malformed, ...unexplainedErrors(stateDir)];
  }

  function begin(variant: Variant, after: Promise<unknown>): Promise<unknown> {
    const { promise: lastBegins, resolve } = Promise.withResolvers<void>();
    const outcome = after.then(() => exercise(variant, resolve));
    problems.set(variant.name, outcome);
    // The test of this variant awaits the promise and reports its failure.
    return Promise.race([lastBegins, outcome.catch(() => undefined)]);
  }

  beforeAll(async () => {
    assembly = await sharedAssembly();
    // A message whose receiver is lost becomes visible again after 30 s. The second variant runs while the first waits
    // for such messages.
    const waits = begin(faulty, Promise.resolve());
    if (variants.includes(faultless)) void begin(faultless, waits);
  }, 120_000);

  afterAll(async () => {
    await Promise.allSettled(problems.values());
    await Promise.all(services.map(stopService));
  }, LIMIT);

  describe('the job API', () => {
    it.each(variants.map(({ name }) => name))(
      'keeps and counts all acknowledged jobs %s',
      async (name) => {
        expect(await problems.get(name)).toEqual([]);
      },
      LIMIT,
    );
  });

  describe('the injected faults', () => {
    it(
      'include every kind',
      async () => {
        await Promise.allSettled([problems.get(faulty.name)]);
        const faults = readFaults(faultLog);
        console.log(summaryOf(faults, faultKinds));
        expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(faultKinds));
      },
      LIMIT,
    );
  });
}
