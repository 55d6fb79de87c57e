/** Calls of OpenAI clients to an ingress over the emulated deployment, and the jobs of these calls. */
import { afterAll, beforeAll } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { systemClock } from '../../core/clock.ts';
import { gatewayHeaders } from '../../core/http/ingress.ts';
import type { RunningJob } from '../../core/jobs/job.ts';
import type { SlotRequest, WaitSlot } from '../../core/waiting-calls/slots.ts';
import { finish, type Report } from '../../core/workers/report.ts';
import { eventually } from '../acceptance/local-service.ts';
import { takeJob } from '../jobs/scripted-job.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { type Ingress, startIngress } from './ingress.ts';

const BODY = '{"model":"m","n":12345678901234567890}';
const headers = { [gatewayHeaders.owner]: 'team', [gatewayHeaders.requestId]: 'request-1' };

/** Starts an ingress for the tests of a file. */
export function useOpenAiCalls() {
  const emulated = useEmulatedDeployment();
  const { ports } = emulated;
  let ingress: Ingress;
  let slots = 0;

  beforeAll(async () => {
    const waitSlots = {
      take: (request: SlotRequest) => {
        slots += 1;
        return ports.waitSlots.take(request);
      },
      release: (slot: WaitSlot) => {
        slots -= 1;
        return ports.waitSlots.release(slot);
      },
    };
    ingress = await startIngress(portsWith(ports, { clock: systemClock, waitSlots }));
  });
  afterAll(() => ingress.stop());

  function post(endpoint: string, { body = BODY, ...init }: RequestInit = {}, path = 'v1/chat/completions') {
    const all = { 'Content-Type': 'application/json', ...headers, ...(init.headers as Record<string, string>) };
    return fetch(`${ingress.gateway}/${endpoint}/openai/${path}`, { method: 'POST', ...init, headers: all, body });
  }

  const stream = (endpoint: string, init: RequestInit = {}) => post(endpoint, { ...init, body: '{"stream":true}' });

  /** Waits for the only job of the endpoint, and returns it. */
  const onlyJob = (endpoint: string) =>
    eventually('the job is stored', async () => (await Array.fromAsync(ports.jobs.list(endpoint)))[0]);

  async function takeOnly(endpoint: string): Promise<RunningJob> {
    return takeJob(ports, endpoint, (await onlyJob(endpoint)).id);
  }

  /** Makes a call, ends its job with this report of a worker, and returns the response. */
  async function answered(
    endpoint: string,
    report: Report | ((job: RunningJob) => Report),
    init: RequestInit = {},
  ): Promise<Response> {
    await emulated.deploy(endpoint);
    const response = post(endpoint, init);
    const job = await takeOnly(endpoint);
    await finish(ports, job, typeof report === 'function' ? report(job) : report);
    return response;
  }

  return {
    emulated,
    /** Base address of requests that come from API Gateway, with the stage. */
    address: () => ingress.gateway,
    /** Number of slots that calls hold. */
    slots: () => slots,
    post,
    stream,
    onlyJob,
    takeOnly,
    answered,
  };
}

export { BODY, headers };
