/**
 * The tests of the contract's rows, a program of `node:test` that `verify` starts. Titles name the rows of
 * docs/reference/contract.md. The order affects the duration: see `rows/queue.ts`.
 */
import { after } from 'node:test';
import { cleanUpAfterTests, endAtDisconnect } from './clean-up.ts';
import { bytes } from './rows/bytes.ts';
import { errors } from './rows/errors.ts';
import { failures } from './rows/failures.ts';
import { routesOfJobs } from './rows/job-routes.ts';
import { jobs } from './rows/jobs.ts';
import { keys } from './rows/keys.ts';
import { limits } from './rows/limits.ts';
import { routesOfManagement } from './rows/management-routes.ts';
import { routesOfMonitoring } from './rows/monitoring-routes.ts';
import { openai, openaiCalls } from './rows/openai.ts';
import { policies } from './rows/policies.ts';
import { queue } from './rows/queue.ts';
import { requests } from './rows/requests.ts';
import { retention } from './rows/retention.ts';
import { snippetsOfThePage } from './rows/snippets.ts';
import { storage } from './rows/storage.ts';
import { streams } from './rows/streams.ts';
import { templateRoutes } from './rows/template-routes.ts';
import { templates } from './rows/templates.ts';
import { versions } from './rows/versions.ts';
import { webhooks } from './rows/webhooks.ts';
import { createSuite } from './suite.ts';
import { TARGET, type Target } from './target.ts';

const suite = createSuite(JSON.parse(process.env[TARGET] ?? '') as Target);
endAtDisconnect(suite);
after(() => cleanUpAfterTests(suite));

for (const rows of [jobs, storage, streams, openai, failures]) rows(suite);
queue(suite, [keys, errors, versions, limits, openaiCalls]);
for (const rows of [templates, templateRoutes]) rows(suite);
for (const rows of [bytes, policies, requests, routesOfJobs, routesOfManagement, routesOfMonitoring]) rows(suite);
for (const rows of [retention, webhooks, snippetsOfThePage]) rows(suite);
