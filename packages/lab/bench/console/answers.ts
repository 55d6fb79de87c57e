/**
 * Fake responses of an endpoint with 100,000 jobs. They replace those of the service, because only the browser is
 * measured.
 */
import type { Page, Route } from 'playwright-core';

export const MANY = 100_000;

/** Returns a cursor: the number of its first job. */
function jobs(from: number, count: number) {
  return Array.from({ length: Math.min(count, MANY - from) }, (_, n) => ({
    id: `01m8${String(from + n).padStart(32, '0')}`,
    status: (['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED', 'FAILED'] as const)[(from + n) % 4],
    delayTime: 1_000 + n,
    executionTime: 2_000 + n,
    attempts: 1,
    workerId: '2501adc5e7a485f2642b07eba493ccf0',
    createdAt: new Date(Date.UTC(2026, 0, 1) - 1_000 * (from + n)).toISOString(),
  }));
}

const reply = (route: Route, value: unknown) =>
  route.fulfill({ contentType: 'application/json', body: JSON.stringify(value) });

/** Replaces the endpoint's jobs by 100,000 jobs. */
export const withJobs = (page: Page): Promise<unknown> =>
  page.route('**/v2/*/requests?*', (route) => {
    const query = new URL(route.request().url()).searchParams;
    const [from, count] = [Number(query.get('cursor') ?? 0), Number(query.get('limit') ?? 20)];
    return reply(route, { requests: jobs(from, count), nextCursor: String(from + count) });
  });

/** Replaces the job's output by 100,000 records. */
export const withOutput = (page: Page, id: string): Promise<unknown> =>
  page.route(`**/v2/*/status/${id}`, (route) =>
    reply(route, { id, status: 'COMPLETED', delayTime: 1, executionTime: 1, attempts: 1, output: jobs(0, MANY) }),
  );

/** Replaces the job's stream by 100,000 chunks. */
export const withChunks = (page: Page, id: string): Promise<unknown> =>
  page.route(`**/v2/*/stream/${id}?*`, (route) =>
    reply(
      route,
      Array.from({ length: MANY }, (_, n) => ({ output: { step: n, of: MANY } })),
    ),
  );
