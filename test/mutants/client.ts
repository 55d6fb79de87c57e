/** Breaks that a client of the original service notices, and one that who lists jobs does. */
import type { Mutant } from './mutant.ts';

const FIRST_JOB = 'test/acceptance/first-job.test.ts';

export const clientAcceptanceMutants: readonly Mutant[] = [
  {
    name: 'a job is accepted in a status of its own',
    file: 'core/jobs/run.ts',
    replace: 'return { id, status };',
    by: "return { id, status: 'ACCEPTED' };",
    test: FIRST_JOB,
    named: 'submits a job',
  },
  {
    name: 'a wait ends with the job alone',
    file: 'core/jobs/wait.ts',
    replace: '!isOver(job) && !watched.isOver()',
    by: '!isOver(job)',
    test: FIRST_JOB,
    named: 'longer than it waits',
  },
  {
    name: 'runsync of any job that fails is a 500',
    file: 'core/jobs/runsync.ts',
    replace: " && job.code === 'WORKER_LOST'",
    by: '',
    test: FIRST_JOB,
    named: 'a job that fails',
  },
  {
    name: 'a purge takes longer than clients wait',
    file: 'core/limits.ts',
    replace: 'PURGE_PAUSE = ENDPOINT_CACHE + PERMIT;',
    by: 'PURGE_PAUSE = ENDPOINT_CACHE + PERMIT + 3_000;',
    test: FIRST_JOB,
    named: 'within its 3 seconds',
  },
  {
    name: 'a drained stream has another name',
    file: 'core/jobs/drain.ts',
    replace: '"stream":[',
    by: '"chunks":[',
    test: FIRST_JOB,
    named: 'every chunk once',
  },
  {
    name: 'a list begins with any job',
    file: 'aws/newest-jobs.ts',
    replace: 'orderOf(job.id) > orderOf(newest.job.id)',
    by: 'orderOf(job.id) < orderOf(newest.job.id)',
    test: FIRST_JOB,
    named: 'the newest job is the first',
  },
];
