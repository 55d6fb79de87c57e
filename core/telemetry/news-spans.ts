/** Makes the spans of what happened on an endpoint since its last sum. */
import pLimit from 'p-limit';
import { isWaitFor } from '../fleet/stages.ts';
import type { Starts, WorkerStart } from '../fleet/start.ts';
import type { KnownLife, News } from '../usage/news.ts';
import { isWithin } from '../usage/worker-time.ts';
import { spansOfAttempt, spansOfDelivery, spansOfJob, waitOf } from './job-spans.ts';
import { STARTS_AT_ONCE } from './limits.ts';
import type { Span } from './span.ts';
import { spansOfStart } from './worker-spans.ts';

export type SpanPorts = { readonly starts: Pick<Starts, 'read'> };

/** Returns whether the start of the worker ended in the time of the news: with its first ask for jobs, or its stop. */
function startEnded(news: News, { readyAt, row }: KnownLife): boolean {
  const at = readyAt ?? row?.endedAt;
  return at !== undefined && isWithin(at, news);
}

/**
 * Returns the spans of jobs, attempts and calls of webhooks that have ended, and of starts of workers.
 *
 * The rows of the history have all times but those of instances, so the start of a worker is read if a job waited for
 * it, or if it has ended.
 */
export async function spansOf({ starts }: SpanPorts, endpoint: string, news: News): Promise<Span[]> {
  const lives = new Map(news.lives.map((life) => [life.worker, life]));
  const jobs = news.ends.map(({ job }) => job);
  const needed = new Set(news.lives.filter((life) => startEnded(news, life)).map(({ worker }) => worker));
  for (const job of jobs) {
    const life = job.worker === undefined ? undefined : lives.get(job.worker);
    if (life && isWaitFor(waitOf(job), { ...life.start, readyAt: life.readyAt })) needed.add(life.worker);
  }
  const read = await pLimit(STARTS_AT_ONCE).map([...needed], async (worker) => {
    const life = lives.get(worker);
    const start = { ...life?.start, ...(life?.readyAt !== undefined && { readyAt: life.readyAt }) };
    return [worker, { ...start, ...(await starts.read(endpoint, worker)) }] as const;
  });
  const startOf: ReadonlyMap<string, WorkerStart> = new Map(read);
  return [
    ...jobs.flatMap((job) => spansOfJob(job, startOf.get(job.worker ?? ''))),
    ...news.attempts.flatMap(spansOfAttempt),
    ...news.deliveries.flatMap(spansOfDelivery),
    ...news.lives
      .filter((life) => startEnded(news, life))
      .flatMap(({ worker, readyAt, row }) =>
        spansOfStart({
          endpoint,
          worker,
          start: startOf.get(worker) ?? {},
          stopped: readyAt === undefined ? row : undefined,
        }),
      ),
  ];
}
