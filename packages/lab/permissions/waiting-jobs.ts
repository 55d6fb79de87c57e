/** Uses the permissions that read, end and purge jobs while they wait. */
import { setTimeout as delay } from 'node:timers/promises';
import { eventually, jobIn } from '../../../test/acceptance/local-service.ts';
import { BROKEN, FIRST } from './assemblies.ts';
import { ask, bodyOf, cancel, LONG, run } from './requests.ts';
import type { Stage } from './stage.ts';

/**
 * Reads waiting jobs with each operation and cancels them. Their low priority starts no worker. The position of a
 * job is read after the ledger has counted other waiting jobs.
 */
export async function waiting(stage: Stage): Promise<void> {
  const jobs = `${stage.service.JobApiUrl}/${FIRST}`;
  const waits = () => run(stage, FIRST, LONG, { lowPriority: true });
  const [id, other] = await Promise.all([waits(), waits()]);
  await eventually('both jobs are counted', async () => {
    const { json } = await ask(stage, 'GET', `${jobs}/health`);
    return (json.jobs as { inQueue: number }).inQueue >= 2 || undefined;
  });
  const answers = await Promise.all([
    ask(stage, 'GET', `${jobs}/status/${id}`),
    ask(stage, 'GET', `${jobs}/status-sync/${id}?wait=1000`),
    ask(stage, 'POST', `${jobs}/runsync?wait=1000`, bodyOf(LONG, { lowPriority: true })),
  ]);
  for (const { json, text } of answers) if (json.waitReason === undefined) throw new Error(`A waiting job is ${text}`);
  const { text } = await ask(stage, 'GET', `${jobs}/requests?status=IN_QUEUE`);
  if (!text.includes('"waitReason"')) throw new Error(`The list of waiting jobs is ${text}`);
  const submitted = String(answers[2].json.id);
  await Promise.all([id, other, submitted].map((each) => cancel(stage, FIRST, each)));
}

/**
 * Submits jobs that no worker takes and no request reads. The ledger starts a timer for the first job, which has a
 * short `ttl`, and the sweeper for the second.
 */
export async function expiring(stage: Stage): Promise<void> {
  for (const ttl of [10_000, 90_000]) await run(stage, BROKEN, LONG, { ttl, lowPriority: true });
}

/** Reads overdue jobs with each operation before the sweeper or a timer ends them. */
export async function overdue(stage: Stage): Promise<void> {
  const jobs = `${stage.service.JobApiUrl}/${FIRST}`;
  const brief = { ttl: 10_000, lowPriority: true };
  const timedOut = async (method: string, path: string, body?: string) => {
    const { json, text } = await ask(stage, method, `${jobs}/${path}`, body);
    if (json.status !== 'TIMED_OUT') throw new Error(`A job that waited for too long is ${text}`);
  };
  const waits = () => run(stage, FIRST, LONG, brief);
  const [read, waited, unread, unlogged, unseen, unfound] = await Promise.all(Array.from({ length: 6 }, waits));
  await Promise.all([
    eventually('a job has waited for too long', async () => {
      const { json } = await ask(stage, 'GET', `${jobs}/status/${read}`);
      return json.status === 'TIMED_OUT' || undefined;
    }),
    timedOut('GET', `status-sync/${waited}?wait=30000`),
    readPastTtl(stage, 'GET', `${jobs}/stream/${unread}`, brief.ttl),
    readPastTtl(stage, 'GET', `${jobs}/logs/${unlogged}`, brief.ttl),
    readPastTtl(stage, 'GET', `${jobs}/input/${unseen}`, brief.ttl),
    readPastTtl(stage, 'GET', `${stage.service.ManagementApiUrl}/jobs/${unfound}`, brief.ttl),
    timedOut('POST', 'runsync?wait=30000', bodyOf(LONG, brief)),
  ]);
}

/** Polls until the job's `ttl` has passed. No other client reads the job. */
async function readPastTtl(stage: Stage, method: string, url: string, ttl: number): Promise<void> {
  for (const over = Date.now() + ttl + 500; Date.now() < over; await delay(100)) await ask(stage, method, url);
  await ask(stage, method, url);
}

/** Purges a queue in which a job waits. Only the list contains the job afterwards. */
export async function purged(stage: Stage): Promise<void> {
  const id = await run(stage, FIRST, LONG, { lowPriority: true });
  const { json } = await ask(stage, 'POST', `${stage.service.JobApiUrl}/${FIRST}/purge-queue`);
  if (json.status !== 'completed') throw new Error(`The purge is ${json.status}.`);
  const { text } = await ask(stage, 'GET', `${stage.service.JobApiUrl}/${FIRST}/requests?status=CANCELLED`);
  if (!text.includes(id)) throw new Error(`The list has no purged job: ${text.slice(0, 200)}`);
  await jobIn(stage.service, id, 'CANCELLED');
}
