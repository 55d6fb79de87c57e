/**
 * Tests the contract over HTTP, row by row. Titles name the rows of docs/reference/contract.md. The file starts its own
 * service, so that no other requests count against the limits. The order affects the duration: see `queue.ts`.
 */
import { createClient } from '../contract/client.ts';
import { bytes } from '../contract/rows/bytes.ts';
import { errors } from '../contract/rows/errors.ts';
import { failures } from '../contract/rows/failures.ts';
import { routesOfJobs } from '../contract/rows/job-routes.ts';
import { jobs } from '../contract/rows/jobs.ts';
import { keys } from '../contract/rows/keys.ts';
import { limits } from '../contract/rows/limits.ts';
import { routesOfManagement } from '../contract/rows/management-routes.ts';
import { openai, openaiCalls } from '../contract/rows/openai.ts';
import { policies } from '../contract/rows/policies.ts';
import { queue } from '../contract/rows/queue.ts';
import { requests } from '../contract/rows/requests.ts';
import { retention } from '../contract/rows/retention.ts';
import { snippetsOfThePage } from '../contract/rows/snippets.ts';
import { storage } from '../contract/rows/storage.ts';
import { streams } from '../contract/rows/streams.ts';
import { templateRoutes } from '../contract/rows/template-routes.ts';
import { templates } from '../contract/rows/templates.ts';
import { versions } from '../contract/rows/versions.ts';
import { webhooks } from '../contract/rows/webhooks.ts';
import type { Suite } from '../contract/suite.ts';
import { useTarget } from '../contract/target.ts';

const target = useTarget();
const suite: Suite = { ...createClient(target), target };

for (const rows of [jobs, storage, streams, openai, failures]) rows(suite);
queue(suite, [keys, errors, versions, limits, openaiCalls]);
for (const rows of [templates, templateRoutes]) rows(suite);
for (const rows of [bytes, policies, requests, routesOfJobs, routesOfManagement]) rows(suite);
for (const rows of [retention, webhooks, snippetsOfThePage]) rows(suite);
