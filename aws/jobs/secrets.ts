/** Secrets of jobs, sealed for the endpoint and the job, so that other roles and other jobs cannot use them. */
import type { JobKey } from '../../core/jobs/job.ts';
import type { Secrets } from '../../core/jobs/store.ts';
import { createSealing } from './sealing.ts';

const contextOf = ({ endpoint, id }: JobKey) => ({ endpoint, job: id });

export function createSecrets(): Secrets {
  const sealing = createSealing();
  return {
    seal: (job, text) => sealing.seal(contextOf(job), text),
    open: (job, sealed) => sealing.open(contextOf(job), sealed),
  };
}
