/** Breaks that a client of RunPod notices, and one in the list of jobs. */
import { type Mutant, mutant } from './mutant.ts';

const FIRST_JOB = 'test/acceptance/first-job.test.ts';

export const clientAcceptanceMutants: readonly Mutant[] = [
  mutant('a job is accepted in a status of its own')
    .replace('core/submission/submit.ts', 'return { id, status };', "return { id, status: 'ACCEPTED' };")
    .killedBy(FIRST_JOB, 'submits a job'),
  mutant('a wait ends with the job alone')
    .replace('core/waits/wait.ts', '!isOver(job) && !watched.isOver()', '!isOver(job)')
    .killedBy(FIRST_JOB, 'longer than one wait'),
  mutant('runsync of any job that fails is a 500')
    .remove('core/status/runsync.ts', " && job.code === 'WORKER_LOST'")
    .killedBy(FIRST_JOB, 'receives a failed job like any other job'),
  mutant('a purge takes longer than clients wait')
    .replace(
      'core/limits.ts',
      'PURGE_PAUSE = ENDPOINT_CACHE + PERMIT;',
      'PURGE_PAUSE = ENDPOINT_CACHE + PERMIT + 3_000;',
    )
    .killedBy(FIRST_JOB, 'within 3 seconds'),
  mutant('a drained stream has another name')
    .replace('core/streams/stream.ts', '"stream":[', '"chunks":[')
    .killedBy(FIRST_JOB, 'every chunk once'),
  mutant('a list begins with any job')
    .replace(
      'aws/jobs/newest-jobs.ts',
      'orderOf(job.id) > orderOf(newest.job.id)',
      'orderOf(job.id) < orderOf(newest.job.id)',
    )
    .killedBy(FIRST_JOB, 'the newest job first'),
];
