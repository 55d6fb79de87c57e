/** Mutants that a client of RunPod would notice, and one of the list of jobs. */
import { type Mutant, mutant } from './mutant.ts';

const FIRST_JOB = 'test/acceptance/first-job.test.ts';

export const clientAcceptanceMutants: readonly Mutant[] = [
  mutant('an accepted job has a status that does not exist')
    .replace('core/submission/submit.ts', 'return { id, status };', "return { id, status: 'ACCEPTED' };")
    .killedBy(FIRST_JOB, 'submits a job'),
  mutant('only the end of the job ends a wait')
    .replace('core/waiting-calls/wait.ts', '!hasEnded(job) && !watched.isTimeUp()', '!hasEnded(job)')
    .killedBy(FIRST_JOB, 'longer than one wait'),
  mutant('runsync returns 500 for every failed job')
    .remove('core/status/runsync.ts', " && job.code === 'WORKER_LOST'")
    .killedBy(FIRST_JOB, 'receives a failed job like any other job'),
  mutant('a purge takes longer than clients wait')
    .replace(
      'core/limits.ts',
      'PURGE_PAUSE = ENDPOINT_CACHE + PERMIT;',
      'PURGE_PAUSE = ENDPOINT_CACHE + PERMIT + 3_000;',
    )
    .killedBy(FIRST_JOB, 'within 3 seconds'),
  mutant('a drained stream has another field name')
    .replace('core/streams/stream.ts', '"stream":[', '"chunks":[')
    .killedBy(FIRST_JOB, 'every chunk once'),
  mutant('a list begins with an arbitrary job')
    .replace(
      'aws/jobs/newest-jobs.ts',
      'orderOf(job.id) > orderOf(newest.job.id)',
      'orderOf(job.id) < orderOf(newest.job.id)',
    )
    .killedBy(FIRST_JOB, 'the newest job first'),
];
