/** The requests that all steps of the exercise send. */
import { call, submit } from '../../../test/acceptance/local-service.ts';
import type { Stage } from './stage.ts';

/** An input whose job runs until it is cancelled or its worker dies. */
export const LONG = '{"op":"sleep","ms":600000}';

interface Policy {
  readonly ttl?: number;
  readonly executionTimeout?: number;
  readonly lowPriority?: boolean;
}

export const bodyOf = (input: string, policy: Policy = {}) => `{"input":${input},"policy":${JSON.stringify(policy)}}`;

/** Submits a job to the endpoint, and returns its id. */
export async function run({ service }: Stage, endpoint: string, input: string, policy?: Policy): Promise<string> {
  const { status, json, text } = await submit(service, bodyOf(input, policy), endpoint);
  if (status !== 200) throw new Error(`/run of ${endpoint} returned ${status}: ${text}`);
  return String(json.id);
}

/** Sends a request to the endpoint and expects 200. */
export async function ask({ service }: Stage, method: string, path: string, body?: string) {
  const answer = await call(service, method, path, { body });
  if (answer.status !== 200) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
  return answer;
}

/** Cancels a job. */
export async function cancel(stage: Stage, endpoint: string, id: string): Promise<void> {
  const { json } = await ask(stage, 'POST', `${stage.service.JobApiUrl}/${endpoint}/cancel/${id}`);
  if (json.status !== 'CANCELLED') throw new Error(`The cancelled job is ${json.status}.`);
}
