/** Uses every permission of functions and workers, over `npm start`. */
import { call, eventually, jobIn, readStatus } from '../../../test/acceptance/local-service.ts';
import { DRAINED, FIRST, SECOND } from './assemblies.ts';
import { openAiCalls } from './openai.ts';
import { released } from './releases.ts';
import { ask, bodyOf, cancel, LONG, run } from './requests.ts';
import type { Stage } from './stage.ts';
import { usersDo } from './users.ts';
import { overdue, purged, waiting } from './waiting-jobs.ts';
import { aggregatedDelivery, deliveries, lostDeliveries } from './webhooks.ts';

const HOUR = 3_600_000;

/** Sizes that fit into the job, into the payloads table, and into neither. */
const [SMALL, MEDIUM, LARGE] = [10, 1_000, 10_000].map((size) => JSON.stringify({ text: 'x'.repeat(size) })) as [
  string,
  string,
  string,
];

/** Submits jobs of each payload size through every interface, and inputs with each retention period. */
async function payloads(stage: Stage): Promise<void> {
  const { service } = stage;
  const url = `${service.JobApiUrl}/${SECOND}`;
  const everyInterface = async (input: string) => {
    const id = await run(stage, SECOND, input);
    const { text } = await ask(stage, 'GET', `${url}/status-sync/${id}?wait=60000`);
    const { text: read } = await ask(stage, 'GET', `${url}/status/${id}?timeline=true`);
    const { text: given } = await ask(stage, 'GET', `${url}/input/${id}`);
    if (given !== input) throw new Error(`The input is ${given.slice(0, 200)}`);
    const { text: waited } = await ask(stage, 'POST', `${url}/runsync?wait=60000`, bodyOf(input));
    for (const answer of [text, read, waited])
      if (!answer.includes(`"output":${input}`))
        throw new Error(`The output is not the input: ${answer.slice(0, 200)}`);
  };
  const kept = async (ttl: number) => {
    await jobIn(service, await run(stage, SECOND, LARGE, { ttl }), 'COMPLETED', undefined, SECOND);
  };
  await Promise.all([
    ...[SMALL, MEDIUM, LARGE].map(everyInterface),
    ...[HOUR, 24 * HOUR, 7 * 24 * HOUR].map(kept),
    ask(stage, 'POST', `${url}/runsync?wait=60000`, bodyOf('{}', { lowPriority: true })),
    sendDirectly(stage, `${url}/run`),
  ]);
}

/** Sends a body without a Content-Length, which the ingress receives directly instead of through API Gateway. */
async function sendDirectly({ service }: Stage, url: string): Promise<void> {
  const body = new Blob([bodyOf('{}')]).stream();
  const headers = { Authorization: `Bearer ${service.ApiKey}` };
  const { status } = await fetch(url, { method: 'POST', headers, body, duplex: 'half' });
  if (status !== 200) throw new Error(`A body without a length returned ${status}.`);
}

/** Submits jobs with secrets through both interfaces. */
async function secret(stage: Stage): Promise<void> {
  const url = `${stage.service.JobApiUrl}/${SECOND}`;
  const body = '{"input":{"op":"s3"},"s3Config":{"accessSecret":"secret"}}';
  const { json } = await ask(stage, 'POST', `${url}/run`, body);
  await jobIn(stage.service, json.id, 'COMPLETED', undefined, SECOND);
  const { text } = await ask(stage, 'POST', `${url}/runsync?wait=60000`, body);
  if (!text.includes('"fields":["accessSecret"]')) throw new Error(`The worker got no s3Config: ${text}`);
}

/**
 * Runs jobs that stream chunks of each size, and reads the chunks. The largest are retained for the longest run
 * time.
 */
async function streamed(stage: Stage): Promise<void> {
  const url = `${stage.service.JobApiUrl}/${SECOND}`;
  const read = async (size: number, executionTimeout: number) => {
    const id = await run(stage, SECOND, JSON.stringify({ op: 'stream', chunks: 2, size }), { executionTimeout });
    await jobIn(stage.service, id, 'COMPLETED', undefined, SECOND);
    const { text } = await ask(stage, 'GET', `${url}/stream/${id}`);
    if (text.split('"stream_index"').length !== 3)
      throw new Error(`The stream must have two chunks, got ${text.slice(0, 200)}`);
  };
  await Promise.all([read(100, HOUR), read(10_000, HOUR), read(10_000, 72 * HOUR)]);
}

/** Waits for a stream before a worker has started. Each chunk is returned once. */
async function drained(stage: Stage): Promise<void> {
  const id = await run(stage, DRAINED, '{"op":"stream","chunks":1,"size":100}');
  const read = (wait = 10_000) => ask(stage, 'GET', `${stage.service.JobApiUrl}/${DRAINED}/stream/${id}?wait=${wait}`);
  const early = await read(1_000);
  await jobIn(stage.service, id, 'COMPLETED', undefined, DRAINED);
  const [first, second] = [await read(), await read()];
  if (
    !`${early.text}${first.text}`.includes('"stream_index":0') ||
    second.text !== '{"status":"COMPLETED","stream":[]}'
  )
    throw new Error(`/stream answered ${early.text}, ${first.text}, and then ${second.text}.`);
}

/** Repeats a request with its idempotency key, which returns the same job. */
async function repeated({ service }: Stage): Promise<void> {
  const headers = { Authorization: `Bearer ${service.ApiKey}`, 'Idempotency-Key': 'once' };
  const submitOnce = () => call(service, 'POST', `${service.JobApiUrl}/${SECOND}/run`, { body: bodyOf('{}'), headers });
  const [first, second] = [await submitOnce(), await submitOnce()];
  if (first.status !== 200 || second.text !== first.text)
    throw new Error(`/run answered ${first.text}, and with the same idempotency key ${second.text}.`);
}

/** Runs a job that prints, and requests its logs. */
async function printed(stage: Stage): Promise<void> {
  const id = await run(stage, SECOND, '{"op":"print","lines":["a line"]}');
  await jobIn(stage.service, id, 'COMPLETED', undefined, SECOND);
  const { text } = await ask(stage, 'GET', `${stage.service.JobApiUrl}/${SECOND}/logs/${id}`);
  if (!text.includes('a line')) throw new Error(`The log of the job is ${text.slice(0, 500)}`);
}

/** Runs a job that fails with an error that does not fit into the item of the job. */
async function failed(stage: Stage): Promise<void> {
  const input = JSON.stringify({ op: 'fail', message: 'x'.repeat(1_000) });
  await jobIn(stage.service, await run(stage, SECOND, input), 'FAILED', undefined, SECOND);
}

/** Sends the requests that do not concern jobs. */
async function overviews(stage: Stage): Promise<void> {
  const { JobApiUrl, ManagementApiUrl } = stage.service;
  await ask(stage, 'GET', `${JobApiUrl}/${FIRST}/health`);
  await ask(stage, 'GET', `${ManagementApiUrl}/endpoints`);
  await ask(stage, 'GET', `${ManagementApiUrl}/endpoints/${FIRST}`);
  await ask(stage, 'GET', `${ManagementApiUrl}/endpoints/${FIRST}/logs`);
  await ask(stage, 'GET', `${ManagementApiUrl}/endpoints/${FIRST}/failures`);
  await ask(stage, 'GET', `${ManagementApiUrl}/endpoints/${FIRST}/workers/ended`);
  await ask(stage, 'GET', `${ManagementApiUrl}/alarms`);
  await ask(stage, 'GET', `${ManagementApiUrl}/endpoints/${FIRST}/events`);
  await ask(stage, 'GET', `${ManagementApiUrl}/jobs`);
  await ask(stage, 'GET', `${ManagementApiUrl}/endpoints/${FIRST}/series`);
  await ask(stage, 'GET', `${ManagementApiUrl}/costs`);
  await ask(stage, 'GET', `${ManagementApiUrl}/metrics`);
  await ask(stage, 'GET', `${ManagementApiUrl}/session`);
}

/** Creates, changes, reads and deletes templates, some of which name secrets that do not exist. */
async function templates(stage: Stage): Promise<void> {
  const { service } = stage;
  const base = service.ManagementApiUrl;
  const make = async (name: string) => {
    const { json } = await ask(stage, 'POST', `${base}/templates`, JSON.stringify({ name, imageName: 'a:1' }));
    return String(json.id);
  };
  const [used, unused] = [await make('used'), await make('unused')];
  await stage.use(used, FIRST);
  const { status } = await call(service, 'POST', `${base}/templates/${used}/update`, { body: '{"imageName":"a:2"}' });
  // No endpoint supports a template of Pods.
  if (status !== 400) throw new Error(`A template of Pods that an endpoint uses was changed: ${status}.`);
  await ask(stage, 'POST', `${base}/templates/${unused}/update`, '{"name":"renamed"}');
  await ask(stage, 'GET', `${base}/templates`);
  await ask(stage, 'GET', `${base}/templates/${used}`);
  await ask(stage, 'DELETE', `${base}/templates/${unused}`);
  for (const named of ['"containerRegistryAuthId":"none"', '"env":{"NONE":"{{secrets:NONE}}"}'])
    for (const [url, body] of [
      [`${base}/templates`, `{"name":"none","imageName":"a:1",${named}}`],
      [`${base}/templates/${used}/update`, `{${named}}`],
    ] as const) {
      const { status: refused, text } = await call(service, 'POST', url, { body });
      if (refused !== 400) throw new Error(`A template that names a missing secret or login: ${text}`);
    }
}

/** Runs a job that fails, and fails again when it is retried, with an input of this size. */
async function retried(stage: Stage, size: number, lowPriority: boolean): Promise<void> {
  const id = await run(stage, SECOND, JSON.stringify({ op: 'fail', text: 'x'.repeat(size) }), { lowPriority });
  await jobIn(stage.service, id, 'FAILED', undefined, SECOND);
  await ask(stage, 'POST', `${stage.service.JobApiUrl}/${SECOND}/retry/${id}`);
  const { json } = await jobIn(stage.service, id, 'FAILED', undefined, SECOND);
  if (json.attempts !== 2) throw new Error(`The retried job has had ${json.attempts} attempts.`);
}

/** Cancels a running job after the list of workers contains it with the release of its worker. */
async function cancelled(stage: Stage): Promise<void> {
  const id = await run(stage, SECOND, LONG);
  await jobIn(stage.service, id, 'IN_PROGRESS', undefined, SECOND);
  await eventually(`a worker holds job ${id}`, async () => {
    const { text } = await ask(stage, 'GET', `${stage.service.ManagementApiUrl}/endpoints/${SECOND}/workers`);
    return (text.includes(id) && text.includes('"version":1')) || undefined;
  });
  await cancel(stage, SECOND, id);
}

/** Runs a job whose handler exits immediately, so that the agent makes its message visible again. */
async function handedBack(stage: Stage, lowPriority: boolean): Promise<void> {
  const id = await run(stage, SECOND, '{"op":"crash","attempts":1}', { lowPriority });
  await jobIn(stage.service, id, 'COMPLETED', undefined, SECOND);
}

/**
 * Runs a job whose worker dies after its lease contains the job. If only the container dies, the agent requeues the
 * job with a new message. If the task dies, ECS reports that it has stopped.
 */
async function lost(stage: Stage, what: 'container' | 'task', lowPriority: boolean): Promise<void> {
  const id = await run(stage, SECOND, LONG, { lowPriority });
  await stage.held(SECOND, id);
  await stage.kill(SECOND, id, what);
  await startedAgain(stage, SECOND, id);
}

export const startedAgain = (stage: Stage, endpoint: string, id: string, within = 60_000) =>
  eventually(
    `job ${id} runs for the second time`,
    async () => {
      const { json } = await readStatus(stage.service, id, endpoint);
      return (json.status === 'IN_PROGRESS' && json.attempts === 2) || undefined;
    },
    { within },
  );

/** Runs a normal job and a job of low priority that only leases contain when the power fails. */
async function running(stage: Stage): Promise<string[]> {
  const normal = await run(stage, FIRST, LONG);
  await jobIn(stage.service, normal, 'IN_PROGRESS');
  // This job starts the worker for the next job, which would not start one, and leaves a deadline behind.
  const brief = { executionTimeout: 10_000 };
  await jobIn(stage.service, await run(stage, FIRST, '{"op":"sleep","ms":2500}', brief), 'COMPLETED');
  const low = await run(stage, FIRST, LONG, { lowPriority: true });
  await Promise.all([normal, low].map((id) => stage.held(FIRST, id)));
  return [normal, low];
}

/** @returns ids of jobs that run when all processes die: two with a lease, and one with a message */
export async function withBoth(stage: Stage): Promise<{ held: string[]; resent: string }> {
  const [held] = await Promise.all([
    // The steps that need no worker run first.
    waiting(stage)
      .then(() => overdue(stage))
      .then(() => purged(stage))
      .then(() => running(stage)),
    payloads(stage),
    streamed(stage),
    openAiCalls(stage),
    secret(stage),
    drained(stage).then(() => aggregatedDelivery(stage)),
    repeated(stage),
    printed(stage),
    failed(stage),
    overviews(stage),
    usersDo(stage),
    templates(stage),
    released(stage),
    cancelled(stage),
    deliveries(stage),
    ...[10, 1_000, 10_000].map((size) => retried(stage, size, size === 10)),
    ...[false, true].flatMap((low) => [
      handedBack(stage, low),
      lost(stage, 'container', low),
      lost(stage, 'task', low),
    ]),
  ]);
  await lostDeliveries(stage);
  await stage.usageWritten();
  const resent = await run(stage, FIRST, '{"op":"sleep","ms":3000}');
  await jobIn(stage.service, resent, 'IN_PROGRESS');
  await stage.killAll();
  return { held, resent };
}
