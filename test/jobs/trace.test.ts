/** Tests the trace of a request from its header to the job, the worker, the webhook and the history. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { portsWith } from '../../aws/ports.ts';
import { listJobs } from '../../core/history/list-jobs.ts';
import { traceIdOf, traceOf, traceparentOf } from '../../core/jobs/trace.ts';
import { record } from '../../core/ledger/record.ts';
import { run } from '../../core/submission/submit.ts';
import { deliver } from '../../core/webhooks/deliver.ts';
import { requestFor } from '../../worker/http/request.ts';
import { PROPERTY_SEED, seedOf } from '../runner/seed.ts';
import { recordServices } from '../support/recorded-services.ts';
import { answered, withReceiver } from '../webhooks/receiver.ts';
import { forever } from '../worker/agents.ts';
import { openAgent } from '../worker/busy-agent.ts';
import { agents, emulated, ports, useEmulatedAgents } from '../worker/emulated-agents.ts';

useEmulatedAgents();

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const HEADER = `00-${TRACE_ID}-b7ad6b7169203331-01`;

const submit = async (endpoint: string) => {
  const body = Buffer.from('{"input":{},"webhook":"https://example.com/hook"}');
  return (await run(ports, { endpoint, owner: 'ada', body, traceparent: HEADER })).id;
};

describe('a trace', () => {
  it('is the same after it was stored', () => {
    const hex = (bytes: number) => fc.uint8Array({ minLength: bytes, maxLength: bytes });
    const property = fc.property(hex(16), hex(8), hex(1), (trace, span, flags) => {
      fc.pre(trace.some(Boolean) && span.some(Boolean));
      const [traceId, ...rest] = [trace, span, flags].map((bytes) => Buffer.from(bytes).toString('hex'));
      const stored = String(traceOf(['00', traceId, ...rest].join('-')));
      expect(stored).toHaveLength(34);
      expect(traceparentOf(stored)).toBe(['00', traceId, ...rest].join('-'));
      expect(traceIdOf(stored)).toBe(traceId);
    });
    fc.assert(property, { seed: seedOf(PROPERTY_SEED) });
  });

  it('is read of a later version, which may be longer', () => {
    expect(traceparentOf(String(traceOf(`01-${HEADER.slice(3)}-more`)))).toBe(HEADER);
  });

  it.each([
    undefined,
    '',
    HEADER.toUpperCase(),
    `ff${HEADER.slice(2)}`,
    `${HEADER}0`,
    HEADER.replace(TRACE_ID, '0'.repeat(32)),
    HEADER.replace('b7ad6b7169203331', '0'.repeat(16)),
  ])('is absent if the header is not valid: %s', (header) => {
    expect(traceOf(header)).toBeUndefined();
  });
});

describe('the trace of a request', () => {
  it('is a field of the job that the SDK of RunPod passes to the handler', async () => {
    const { url } = await openAgent('tr-b');
    const id = await submit('tr-b');
    expect(await (await fetch(`${url}/job-take/self`)).json()).toMatchObject({ id, traceparent: HEADER });
  });

  it('is passed to the worker, the webhook and the history', async () => {
    await emulated.deploy('tr-a');
    const id = await submit('tr-a');
    const agent = await agents.start('tr-a', 'w1');
    const offer = await agent.next(forever);
    expect(offer).toMatchObject({ id, traceparent: HEADER });
    if (!offer) return;
    const { headers } = requestFor({ port: 8_000, path: '/' }, offer, Buffer.from('{}'));
    expect(headers).toHaveProperty('traceparent', HEADER);

    await agent.report(id, { output: '1' });
    const ended = await ports.jobs.read({ endpoint: 'tr-a', id });
    if (!ended) throw new Error('The job does not exist.');
    const { ports: delivering, received } = withReceiver(ports, () => answered(200));
    const { traceId } = await deliver(delivering, { ended, execution: 'e', earlierCalls: 0, call: 'c' });
    expect(traceId).toBe(TRACE_ID);
    expect(received[0]?.headers).toHaveProperty('traceparent', HEADER);

    await record(portsWith(ports, { services: recordServices() }), await emulated.changes());
    expect(JSON.parse(await listJobs(ports, { permitted: ['*'], job: id })).jobs).toMatchObject([
      { traceId: TRACE_ID },
    ]);
  });
});
