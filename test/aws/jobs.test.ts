import { describe, expect, it } from '@jest/globals';
import type { Job } from '../../core/jobs/job.ts';
import { apply, permits } from '../../core/jobs/machine.ts';
import {
  type FactValues,
  type MoveName,
  type ReportName,
  reportNames,
  type TransitionName,
  transitions,
} from '../../core/jobs/transitions.ts';
import { facts, favourable, jobs } from '../jobs/job-in-each-status.ts';
import { storeJobs } from '../support/stored-jobs.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();

const names = Object.keys(transitions) as TransitionName[];
const isReport = (name: TransitionName): name is ReportName => reportNames.some((report) => report === name);
const stored: readonly Job[] = [
  ...Object.values(jobs),
  { ...jobs.IN_PROGRESS, attemptLimit: 1 },
  apply('progress', jobs.IN_PROGRESS, facts),
];

/** Facts that satisfy or violate each guard. */
const variants = (name: TransitionName): FactValues[] =>
  [
    {},
    { ...favourable[name] },
    { $now: 1_000_000, $graceStart: 998_000, $leaseEnds: 999_999 },
    { $generation: 5, $purgedAt: 1_500 },
    { $worker: 'w2' },
    { $attempt: 2 },
    { $leaseEnds: 2_000 },
    { $output: undefined },
    { $retention: 60_000, $expiresAt: 62_000 },
    { $queuedAt: 1_001, $finishedAt: 2_001 },
  ].map((changed) => ({ ...facts, ...changed }));

const transition = (name: TransitionName, job: Job, given: FactValues) =>
  isReport(name)
    ? emulated.ports.jobs.report(name, job, given)
    : emulated.ports.jobs.move(name as MoveName, job, given);

const refused = (job: Job) => ({ moved: false, job, repeated: false });

describe('a transition in DynamoDB', () => {
  it.each(names)('changes the stored job like the job in memory: %s', async (name) => {
    let moves = 0;
    const cases = stored.flatMap((job, n) =>
      variants(name).map((given, v) => ({ before: { ...job, id: `${name}-${n}-${v}` }, given, v })),
    );
    await storeJobs(cases.map(({ before }) => before));
    for (const { before, given, v } of cases) {
      const expected = permits(name, before, given) ? apply(name, before, given) : undefined;
      const result = await transition(name, before, given);
      expect({ name, status: before.status, v, ...result }).toEqual({
        name,
        status: before.status,
        v,
        ...(expected ? { moved: true, ...(!isReport(name) && { job: expected }) } : refused(before)),
      });
      expect(await emulated.ports.jobs.read(before)).toEqual(expected ?? before);
      if (expected) moves += 1;
    }
    expect(moves).toBeGreaterThan(0);
  });

  it('returns nothing for a job that does not exist', async () => {
    const moved = await emulated.ports.jobs.move('take', { endpoint: 'echo', id: 'none' }, facts);
    expect(moved).toEqual({ moved: false, job: undefined, repeated: false });
  });
});

describe('a job in DynamoDB', () => {
  it('is created only once', async () => {
    const job = { ...jobs.IN_QUEUE, id: 'once' };
    await emulated.ports.jobs.create(job);
    await emulated.ports.jobs.move('take', job, facts);
    await emulated.ports.jobs.create(job);
    expect(await emulated.ports.jobs.read(job)).toMatchObject({ status: 'IN_PROGRESS' });
  });
});
