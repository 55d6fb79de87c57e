/** The operations of both interfaces, in the order of their descriptions. */

import { endpoints } from './endpoints.ts';
import { findJob } from './find-job.ts';
import { health } from './health.ts';
import { jobs } from './jobs.ts';
import { keys } from './keys.ts';
import { openai } from './openai.ts';
import type { Operation } from './operation.ts';
import { queue } from './queue.ts';
import { releases } from './releases.ts';
import { results } from './results.ts';
import type { JobOperation, ManagementOperation } from './routes.ts';
import { session } from './session.ts';
import { submission } from './submission.ts';
import { templates } from './templates.ts';
import { webhooks } from './webhooks.ts';
import { workers } from './workers.ts';

/** Operations of the job interface, below `{serverless_url}`. */
export const jobOperations: Readonly<Record<JobOperation, Operation>> = {
  ...submission,
  ...results,
  ...openai,
  ...jobs,
  ...queue,
  ...webhooks,
  ...health,
};

/** Operations of the management interface, below `{base_url}`. The contract does not define their limits. */
export const managementOperations: Readonly<Record<ManagementOperation, Operation>> = {
  ...endpoints,
  ...templates,
  ...releases,
  ...keys,
  ...workers,
  ...findJob,
  ...session,
};

export const allOperations = { ...jobOperations, ...managementOperations };
