/**
 * The contract over HTTP, row by row: titles name the rows of docs/contract.md. One file, so that there is one service,
 * and nobody else's requests count against the limits. The order matters for the time that it takes: see `queue.ts`.
 */
import { afterAll, beforeAll, jest } from '@jest/globals';
import { createClient } from './client.ts';
import { errors } from './rows/errors.ts';
import { failures } from './rows/failures.ts';
import { jobs } from './rows/jobs.ts';
import { keys } from './rows/keys.ts';
import { limits } from './rows/limits.ts';
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
import type { Suite } from './suite.ts';
import { findTarget, type Target } from './target.ts';

// Where workers are machines, the first of them takes its time.
jest.setTimeout(180_000);

let found: Target | undefined;

function target(): Target {
  if (!found) throw new Error('There is no service before the tests run.');
  return found;
}

beforeAll(async () => {
  found = await findTarget();
});
afterAll(() => found?.end());

const suite: Suite = { ...createClient(target), target };

for (const rows of [jobs, storage, streams, failures]) rows(suite);
queue(suite, [keys, errors, versions, limits]);
for (const rows of [templates, templateRoutes]) rows(suite);
for (const rows of [policies, requests, retention, webhooks, snippetsOfThePage]) rows(suite);
