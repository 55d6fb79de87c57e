/**
 * Agents with an endpoint each, and the calls of their containers. They use the emulated ports of the test file.
 */
import type { Ports } from '../../aws/ports.ts';
import type { Agent } from '../../worker/agent/agent.ts';
import { type AgentSettings, forever } from './agents.ts';
import { agents, emulated, ports } from './emulated-agents.ts';

interface OpenAgent {
  readonly agent: Agent;
  /** Address of the worker protocol, including the endpoint. */
  readonly url: string;
  readonly normalQueueUrl: string;
  readonly lowQueueUrl: string;
  /** Posts the body of a job to `job-done` or `job-stream`. */
  post(verb: string, job: string, body: string): Promise<Response>;
  /** Reads the stored job. */
  read(id: string): ReturnType<Ports['jobs']['read']>;
}

/** Deploys an endpoint and starts one agent of it. */
export async function openAgent(endpoint: string, settings?: AgentSettings): Promise<OpenAgent> {
  const { normalQueueUrls, lowQueueUrls } = await emulated.deploy(endpoint);
  const agent = await agents.start(endpoint, 'w1', settings);
  const url = `${await agents.open(agent)}/v2/${endpoint}`;
  return {
    agent,
    url,
    normalQueueUrl: normalQueueUrls[0],
    lowQueueUrl: lowQueueUrls[0],
    post: (verb, job, body) => fetch(`${url}/${verb}/self/${job}`, { method: 'POST', body }),
    read: (id) => ports.jobs.read({ endpoint, id }),
  };
}

/** Deploys an endpoint and starts one agent of it, whose container has a job. */
export async function busyAgent(
  endpoint: string,
  { body, ...settings }: AgentSettings & { readonly body?: string } = {},
): Promise<OpenAgent & { readonly id: string }> {
  const opened = await openAgent(endpoint, settings);
  const id = await agents.submit(endpoint, body);
  await opened.agent.next(forever);
  return { ...opened, id };
}

/** Cancels a running job, as `/cancel` does. */
export const cancel = (endpoint: string, id: string) =>
  ports.jobs.move('cancelRunning', { endpoint, id }, { $now: ports.clock.now(), $graceStart: 0, $removeAfter: 1 });

/** Polls for the jobs to stop, as a container does, and returns the answer. */
export const stopPoll = async (url: string): Promise<unknown> => (await fetch(`${url}/job-stop/self`)).json();

/** @returns whether a poll is still open after later calls have been answered */
export async function isOpen(poll: Promise<unknown>, url: string): Promise<boolean> {
  let open = true;
  void poll.then(() => {
    open = false;
  });
  for (let calls = 0; calls < 3; calls += 1) await fetch(`${url}/ping/self`);
  return open;
}
