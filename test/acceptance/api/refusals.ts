/** Sends requests that must be refused with the same error, with and without faults. */
import type { Client } from './client.ts';

const WITHOUT_KEY = {};

const refusals: readonly [method: string, path: string, body: string | undefined, answer: string, headers?: object][] =
  [
    ['POST', '/echo/run', '{"input":', '400 INVALID_REQUEST'],
    ['POST', '/echo/run', '{"input":[]}', '400 INVALID_REQUEST'],
    ['POST', '/echo/run', '{"input":{},"policy":{"ttl":9999}}', '400 INVALID_REQUEST'],
    ['POST', '/echo/runsync?wait=999', '{"input":{}}', '400 INVALID_REQUEST'],
    ['POST', '/echo/run', '{"input":{}}', '401 UNAUTHORIZED', WITHOUT_KEY],
    ['GET', '/echo/health', undefined, '401 UNAUTHORIZED', { Authorization: 'Bearer nonsense' }],
    ['POST', '/nowhere/run', '{"input":{}}', '404 ENDPOINT_NOT_FOUND'],
    ['GET', '/nowhere/health', undefined, '404 ENDPOINT_NOT_FOUND'],
    ['GET', '/echo/status/unknown', undefined, '404 JOB_NOT_FOUND'],
    ['GET', '/echo/status-sync/unknown', undefined, '404 JOB_NOT_FOUND'],
    ['GET', '/echo/stream/unknown', undefined, '404 JOB_NOT_FOUND'],
    ['POST', '/echo/cancel/unknown', undefined, '404 JOB_NOT_FOUND'],
    ['GET', '/echo/nothing', undefined, '404 ROUTE_NOT_FOUND'],
  ];

/** Number of calls of each request, so that faults affect some of them. */
const ROUNDS = 5;

export async function checkRefusals(client: Client): Promise<string[]> {
  const problems: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [method, path, body, wanted, headers] of refusals) {
      const { status, json } = await client.ask(method, path, { body, headers: headers as Record<string, string> });
      const answer = `${status} ${json.code}`;
      if (answer !== wanted) problems.push(`${method} ${path} answered ${answer} instead of ${wanted}`);
    }
  return problems;
}
