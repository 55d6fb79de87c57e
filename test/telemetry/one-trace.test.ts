/** Tests that the id of one trace is in each place that a job passes, from the request to its spans. */
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { portsWith } from '../../aws/ports.ts';
import { record } from '../../core/ledger/record.ts';
import { HOUR, MINUTE } from '../../core/limits.ts';
import { sumAll } from '../../core/usage/sweep.ts';
import { deliver } from '../../core/webhooks/deliver.ts';
import { noReleases } from '../releases/no-releases.ts';
import { recordServices } from '../support/recorded-services.ts';
import { answered, withReceiver } from '../webhooks/receiver.ts';
import { openAgent } from '../worker/busy-agent.ts';
import { ports as agentPorts, emulated, useEmulatedAgents } from '../worker/emulated-agents.ts';
import { type OtlpReceiver, spansIn, startOtlpReceiver, telemetryTo, withPython } from './otlp-receiver.ts';

useEmulatedAgents();

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const HEADER = `00-${TRACE_ID}-00f067aa0ba902b7-01`;
const REQUEST_ID = 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef';

let receiver: OtlpReceiver | undefined;
afterAll(() => receiver?.stop());

/** Submits as API Gateway does, and returns the id of the job with the lines of the function's log. */
async function submit(endpoint: string): Promise<{ id: string; log: unknown[] }> {
  const printed = jest.spyOn(console, 'info').mockReturnValue();
  const { handler } = await import('../../lambda/jobs/run.ts');
  const event = {
    httpMethod: 'POST',
    headers: { TraceParent: HEADER },
    pathParameters: { endpoint },
    body: '{"input":{},"webhook":"https://example.com/hook"}',
    requestContext: {
      requestId: REQUEST_ID,
      authorizer: { owner: 'ada', caller: 'key', keyId: 'abcdef012345', endpoints: '*', scopes: '' },
    },
  } as unknown as APIGatewayProxyEvent;
  const call = handler as unknown as (event: object, context: Context) => Promise<APIGatewayProxyResult>;
  const { body } = await call(event, { functionName: 'run' } as Context);
  const log = printed.mock.calls.map(([line]) => JSON.parse(String(line)));
  printed.mockRestore();
  return { id: JSON.parse(body).id, log };
}

(withPython ? describe : describe.skip)('the id of a trace', () => {
  it('is in the logs of function and agent, the job of the worker, the webhook, and the spans', async () => {
    const ports = portsWith(agentPorts, { ...noReleases(), services: recordServices() });
    receiver = await startOtlpReceiver();
    const telemetry = telemetryTo(receiver.url, ports);
    emulated.clock.advance(HOUR - (emulated.clock.now() % HOUR));
    const agentLog: object[] = [];
    const log = { info: (message: string, fields: object) => agentLog.push({ message, ...fields }), error: () => {} };
    const { url, agent } = await openAgent('ot-a', { log } as never);

    const { id, log: functionLog } = await submit('ot-a');
    // The access log of API Gateway has the same request id.
    expect(functionLog).toMatchObject([{ message: 'Traced request.', requestId: REQUEST_ID, traceId: TRACE_ID }]);

    const taken = await fetch(`${url}/job-take/self`);
    expect(await taken.json()).toMatchObject({ id, traceparent: HEADER });
    expect(agentLog).toContainEqual(expect.objectContaining({ message: 'Job taken.', jobId: id, traceId: TRACE_ID }));

    await agent.report(id, { output: '1' });
    const ended = await ports.jobs.read({ endpoint: 'ot-a', id });
    if (!ended) throw new Error('The job does not exist.');
    const { ports: delivering, received } = withReceiver(ports, () => answered(200));
    const { traceId } = await deliver(delivering, { ended, execution: 'e', earlierCalls: 0, call: 'c' });
    expect([traceId, received[0]?.headers.traceparent]).toEqual([TRACE_ID, HEADER]);

    for (let minute = 0; minute < 8; minute += 1) {
      emulated.clock.advance(MINUTE);
      await record(ports, await emulated.changes());
      const endpoints = await ports.endpoints.list();
      await sumAll(ports, endpoints, telemetry?.addNews);
      await telemetry?.send(endpoints);
    }
    const spans = (await spansIn(receiver.requests)).filter((span) => span.traceId === TRACE_ID);
    expect(spans.map(({ name }) => name)).toEqual(['process ot-a', 'queue', 'run', 'webhook']);
    expect(new Set(spans.map(({ attributes }) => attributes['messaging.message.id']))).toEqual(new Set([id]));
  });
});
