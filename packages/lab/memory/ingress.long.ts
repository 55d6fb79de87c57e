/**
 * Measures the memory of an ingress task while 16 clients send 20 MB at the same time and wait for responses of
 * 20 MB.
 */
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { portsWith } from '../../../aws/ports.ts';
import { systemClock } from '../../../core/clock.ts';
import { gatewayHeaders } from '../../../core/http/ingress.ts';
import { payloadLimits } from '../../../core/limits.ts';
import { finish } from '../../../core/workers/report.ts';
import { taskSize } from '../../../lib/front-door/ingress.ts';
import { eventually } from '../../../test/acceptance/local-service.ts';
import { takeJob } from '../../../test/jobs/scripted-job.ts';
import { useEmulatedDeployment } from '../../../test/support/use-emulated-deployment.ts';
import { hashOf, kinds, MB } from './body-server.ts';
import { type IngressProcess, startIngressProcess } from './ingress-process.ts';

const AT_ONCE = 16;
const MAX_BYTES = payloadLimits.body.runsync;
/** Memory of a task, in bytes. */
const TASK = taskSize.memoryLimitMiB * MB;

const emulated = useEmulatedDeployment();
let ingress: IngressProcess;

beforeEach(async () => {
  ingress = await startIngressProcess(process.env);
});
afterEach(() => ingress.stop());

interface Sending {
  readonly outgoing: ClientRequest;
  readonly answer: Promise<IncomingMessage>;
}

/** A client that has sent the head of its request. */
function startRequest(endpoint: string, length: number): Sending {
  const { owner, operation, endpoint: permitted } = gatewayHeaders;
  const headers = { [owner]: 'team', [operation]: 'runsync', [permitted]: endpoint, 'Content-Length': length };
  const outgoing = request(`${ingress.url}/${endpoint}/runsync?wait=300000`, { method: 'POST', headers, agent: false });
  const { promise: answer, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  outgoing.on('response', resolve).on('error', reject);
  outgoing.flushHeaders();
  return { outgoing, answer };
}

const inMegabytes = (bytes: number) => `${Math.round(bytes / MB)} MB`;

it.each(Object.entries(kinds))(
  'serves 16 bodies and 16 responses of 20 MB within the memory of its task: %s',
  async (name, bodyOf) => {
    const endpoint = `memory-${Object.keys(kinds).indexOf(name)}`;
    await emulated.deploy(endpoint);
    const ports = portsWith(emulated.ports, { clock: systemClock });
    const body = bodyOf(MAX_BYTES);
    const padded = Buffer.concat([body, Buffer.alloc(MAX_BYTES - body.length, ' ')]);
    const input = body.subarray('{"input":'.length, -1);
    const idle = ingress.peak();

    const clients = Array.from({ length: AT_ONCE }, () => startRequest(endpoint, MAX_BYTES));
    for (const { outgoing } of clients) outgoing.write(padded.subarray(0, MB));
    // When another client is refused before it has sent a byte of its body, all shares of the budget are taken.
    await eventually('a 17th body is refused', async () => {
      const { outgoing, answer } = startRequest(endpoint, MAX_BYTES);
      const first = await Promise.race([
        answer,
        new Promise<undefined>((resolve) => setTimeout(resolve, 5_000, undefined)),
      ]);
      outgoing.destroy();
      return first?.statusCode === 429 && first.headers['retry-after'] === '1' ? true : undefined;
    });
    for (const { outgoing } of clients) outgoing.end(padded.subarray(MB));
    const jobs = await eventually(
      'all jobs are stored',
      async () => {
        const stored = await Array.fromAsync(ports.jobs.list(endpoint));
        return stored.length === AT_ONCE ? stored : undefined;
      },
      { within: 240_000 },
    );
    const submitted = ingress.peak();

    const output = String(input);
    await Promise.all(
      jobs.map(async ({ id }, n) => finish(ports, await takeJob(ports, endpoint, id, `w${n}`), { output })),
    );
    const records = await Promise.all(
      clients.map(async ({ answer }) => {
        const text = await buffer(await answer);
        const start = text.indexOf('"output":') + '"output":'.length;
        return hashOf(text.subarray(start, start + input.length));
      }),
    );
    expect(records).toEqual(Array(AT_ONCE).fill(hashOf(input)));
    const answered = ingress.peak();
    process.stdout.write(
      `the ingress, ${name}: ${inMegabytes(idle)} before, ${inMegabytes(submitted)} with bodies, ${inMegabytes(answered)} with answers, of ${inMegabytes(TASK)}\n`,
    );
    expect(answered).toBeLessThan(TASK);
  },
);
