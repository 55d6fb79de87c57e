/** Submits jobs with webhooks of each size, with each operation, to receivers that accept or refuse them. */
import { call, eventually, readStatus } from '../../../test/acceptance/local-service.ts';
import { startReceivers } from '../../../test/acceptance/webhooks/receivers.ts';
import { DRAINED, FIRST, SECOND } from './assemblies.ts';
import type { Stage } from './stage.ts';

async function ask({ service }: Stage, method: string, path: string, body?: string) {
  const answer = await call(service, method, `${service.JobApiUrl}/${path}`, { body });
  if (answer.status !== 200) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
  return answer;
}

/** Waits until the delivery of the job has ended. */
const over = ({ service }: Stage, endpoint: string, id: string, state: string) =>
  eventually(`the webhook of ${id} is ${state}`, async () => {
    const { json } = await readStatus(service, id, endpoint);
    return (json.webhook as { state?: string } | undefined)?.state === state || undefined;
  });

export async function deliveries(stage: Stage): Promise<void> {
  const receivers = await startReceivers();
  const body = (input: object, webhook: string) => JSON.stringify({ input, webhook: `${receivers.url}${webhook}` });
  const run = async (input: object, webhook: string) => {
    const { json } = await ask(stage, 'POST', `${SECOND}/run`, body(input, webhook));
    return String(json.id);
  };
  const sizes = [10, 1_000, 10_000].map(async (size) => {
    const id = await run({ text: 'x'.repeat(size) }, `/ok/${'x'.repeat(size === 10 ? 1 : 200)}`);
    await over(stage, SECOND, id, 'DELIVERED');
    await ask(stage, 'GET', `${SECOND}/status-sync/${id}?wait=1000`);
  });
  const retried = async () => {
    const id = await run({ op: 'fail' }, '/never');
    await over(stage, SECOND, id, 'FAILED');
    await ask(stage, 'GET', `${SECOND}/webhooks`);
    await ask(stage, 'POST', `${SECOND}/webhooks/${id}/resend`);
    await ask(stage, 'POST', `${SECOND}/retry/${id}`);
  };
  await Promise.all([...sizes, retried(), ask(stage, 'POST', `${SECOND}/runsync?wait=60000`, body({}, '/ok/runsync'))]);
  receivers.stop();
}

/** Cancels a stream after its worker has returned one as its output, so that the record and the webhook have its chunks. */
export async function aggregatedDelivery(stage: Stage): Promise<void> {
  const receivers = await startReceivers();
  const submit = async (input: object) => {
    const body = { input: { op: 'say', values: ['a chunk'], ...input }, webhook: `${receivers.url}/ok` };
    const { json } = await ask(stage, 'POST', `${DRAINED}/run`, JSON.stringify(body));
    return String(json.id);
  };
  await eventually('the worker of a cancelled stream has aggregated before', async () => {
    await over(stage, DRAINED, await submit({ aggregate: true }), 'DELIVERED');
    const id = await submit({ ms: 600_000 });
    await eventually('the chunk is stored', async () => {
      const { text } = await ask(stage, 'GET', `${DRAINED}/stream/${id}?from=0&wait=1000`);
      return text.includes('a chunk') || undefined;
    });
    await ask(stage, 'POST', `${DRAINED}/cancel/${id}`);
    await over(stage, DRAINED, id, 'DELIVERED');
    const { json } = await readStatus(stage.service, id, DRAINED);
    return json.output !== undefined || undefined;
  });
  receivers.stop();
}

/** Tests a delivery that the sweeper restarts, and one that it gives up. No receiver listens at the URL. */
export async function lostDeliveries(stage: Stage): Promise<void> {
  const receivers = await startReceivers();
  const ended = async () => {
    const { json } = await ask(stage, 'POST', `${FIRST}/run`, `{"input":{},"webhook":"${receivers.url}/ok"}`);
    await over(stage, FIRST, String(json.id), 'DELIVERED');
    return String(json.id);
  };
  const [again, late] = [await ended(), await ended()];
  receivers.stop();
  await stage.loseDelivery(FIRST, again, 6);
  await stage.loseDelivery(FIRST, late, 13 * 60);
}
