/** Tests what a client gets whose API key has spent its budget of today. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { dayOf, resetAfter, secondsToReset } from '../../core/endpoints/spending.ts';
import { handleOpenAi, handleRun, handleRunSync } from '../../core/http/calls.ts';
import { type ForwardedRequest, RequestBody } from '../../core/http/request.ts';
import { type Exchange, respondInTime } from '../../core/http/respond.ts';
import { respondOpenAi } from '../../core/http/respond-openai.ts';
import { cancel } from '../../core/jobs/cancel.ts';
import { ENDPOINT_CACHE } from '../../core/limits.ts';
import { run } from '../../core/submission/submit.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
const { clock, ports } = emulated;
const ENDPOINT = 'spent-key';
const KEY = '0123456789ab';

const exchange: Exchange = {
  ...{ requestId: 'r-1', userAgent: undefined, origin: undefined },
  onFailure: () => undefined,
  isThrottled: () => false,
};

const requestOf = (keyId: string | undefined, body: string): ForwardedRequest => ({
  ...{ endpoint: ENDPOINT, job: '', query: {}, owner: 'ada', keyId, method: 'POST', path: 'v1/chat/completions' },
  ...{ queryText: '', contentType: 'application/json', body: new RequestBody(Buffer.from(body)) },
});

async function read({ status, headers, body }: Awaited<ReturnType<typeof respondOpenAi>>) {
  const pieces = await Array.fromAsync(body as AsyncIterable<Uint8Array | string>);
  const text = pieces.map((piece) => Buffer.from(piece).toString()).join('');
  return { status, after: (headers as Record<string, unknown>)['Retry-After'], body: JSON.parse(text) };
}

beforeAll(async () => {
  await emulated.deploy(ENDPOINT, { protocol: 'http' });
  await ports.endpoints.saveSpending(ENDPOINT, {
    ...{ day: dayOf(clock.now()), at: clock.now(), dollars: 0, spentKeys: [KEY] },
  });
  clock.advance(ENDPOINT_CACHE);
});

describe('a key that has spent its budget', () => {
  const facts = () => ({
    after: secondsToReset(clock.now()),
    resetAt: new Date(resetAfter(clock.now())).toISOString(),
  });

  it.each([
    ['/run', handleRun],
    ['/runsync', handleRunSync],
  ])('gets 429 from %s with the time of the reset', async (_, handle) => {
    const { after, resetAt } = facts();
    const refused = await read(
      await respondInTime(exchange, (state) => handle(ports as never, requestOf(KEY, '{"input":{}}'), state)),
    );
    expect(refused).toMatchObject({ status: 429, after: String(after), body: { code: 'BUDGET_SPENT' } });
    expect(refused.body.error).toContain(`It may submit jobs again at ${resetAt}`);
  });

  it('gets 429 in the format of OpenAI from the OpenAI routes', async () => {
    const call = requestOf(KEY, '{"model":"m","messages":[]}');
    const refused = await read(await respondOpenAi(exchange, (state) => handleOpenAi(ports as never, call, state)));
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'BUDGET_SPENT', type: 'rate_limit_error' } } });
    expect(String(refused.after)).toBe(String(facts().after));
  });

  it('leaves other keys, users, and jobs that were accepted before', async () => {
    const accepted = await run(ports, { endpoint: ENDPOINT, owner: 'ada', body: Buffer.from('{"input":{}}') });
    await run(ports, { endpoint: ENDPOINT, owner: 'ada', keyId: 'ffffffffffff', body: Buffer.from('{"input":{}}') });
    expect(await cancel(ports, { endpoint: ENDPOINT, id: accepted.id })).toMatchObject({ status: 'CANCELLED' });
  });

  it('may submit again on the next day, although no sweep has run', async () => {
    clock.advance(resetAfter(clock.now()) - clock.now());
    await run(ports, { endpoint: ENDPOINT, owner: 'ada', keyId: KEY, body: Buffer.from('{"input":{}}') });
  });
});
