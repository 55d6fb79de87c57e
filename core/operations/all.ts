/** The operations of both interfaces, in their order in the OpenAPI documents. */

import { alarms } from './alarms.ts';
import { endpoints } from './endpoints.ts';
import { findJob } from './find-job.ts';
import { health } from './health.ts';
import { history } from './history.ts';
import { jobs } from './jobs.ts';
import { keys } from './keys.ts';
import { openai } from './openai.ts';
import type { OperationDefinition } from './operation.ts';
import { queue } from './queue.ts';
import { releases } from './releases.ts';
import { results } from './results.ts';
import type { Operation } from './routes.ts';
import { session } from './session.ts';
import { submission } from './submission.ts';
import { templates } from './templates.ts';
import { webhooks } from './webhooks.ts';
import { workers } from './workers.ts';

const ofJobs = {
  ...submission,
  ...results,
  ...openai,
  ...jobs,
  ...queue,
  ...webhooks,
  ...health,
};

const ofManagement = {
  ...endpoints,
  ...templates,
  ...releases,
  ...keys,
  ...workers,
  ...findJob,
  ...history,
  ...alarms,
  ...session,
};

/** Operations of the job interface, below `{serverless_url}`. */
export const jobOperations: Readonly<Record<keyof typeof ofJobs, OperationDefinition>> = ofJobs;

/** Operations of the management interface, below `{base_url}`. The contract does not define their limits. */
export const managementOperations: Readonly<Record<keyof typeof ofManagement, OperationDefinition>> = ofManagement;

/** The names of the definitions. If they differ from the generated table, the compiler's error names the remedy. */
type UpToDate<Recorded extends string> = [Recorded, Operation] extends [Operation, Recorded]
  ? Recorded
  :
      | `Run npm run generate: core/operations/table.ts lacks ${Exclude<Recorded, Operation>}`
      | `Add a definition to core/operations/, or run npm run generate: only core/operations/table.ts has ${Exclude<Operation, Recorded>}`;

export const allOperations = { ...jobOperations, ...managementOperations } satisfies Record<
  UpToDate<keyof typeof ofJobs | keyof typeof ofManagement>,
  OperationDefinition
>;
