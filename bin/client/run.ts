/** `gpu-endpoints run`: submits a job, and waits for its end or prints its stream. */
import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { call, segment, suggestion } from './call.ts';
import { nextSteps } from './next-steps.ts';
import { common, jsonFrom, serviceOf } from './options.ts';
import { printJson } from './print.ts';
import { type KnownJob, printEnd, type WaitOptions, withWaitOrStream } from './wait.ts';

interface RunOptions extends WaitOptions {
  readonly input: string;
  readonly policy?: string;
  readonly webhook?: string;
}

interface Accepted {
  readonly id: string;
  readonly status: string;
}

/** Fields of a policy. The service ignores others, so a mistyped limit would have no effect. */
const POLICY = ['executionTimeout', 'ttl', 'lowPriority'];

/** @throws Error if the policy has a field that the service ignores */
function assertKnown(policy: unknown): void {
  const unknown = Object.keys(Object(policy)).find((name) => !POLICY.includes(name));
  if (unknown !== undefined) throw new Error(`--policy has no field ${unknown}: ${suggestion(unknown, POLICY)}`);
}

async function policyOf({ policy: text }: RunOptions): Promise<{ readonly policy?: unknown }> {
  if (text === undefined) return {};
  const policy = await jsonFrom('--policy', text);
  assertKnown(policy);
  return { policy };
}

async function submit(endpoint: string, options: RunOptions): Promise<KnownJob & Accepted> {
  const service = serviceOf(options);
  const { input, webhook } = options;
  const body = {
    input: await jsonFrom('--input', input),
    ...(await policyOf(options)),
    ...(webhook !== undefined && { webhook }),
  };
  // If the answer is lost and the call is repeated, the service returns the same job.
  const headers = { 'Idempotency-Key': randomUUID() };
  const path = `/${segment(endpoint)}/run`;
  return { service, endpoint, ...(await call<Accepted>(service, 'jobs', 'POST', path, { body, headers })) };
}

async function run(endpoint: string, options: RunOptions): Promise<void> {
  const job = await submit(endpoint, options);
  const { id, status } = job;
  if (options.wait || options.stream) return printEnd(job, options);
  if (options.json) return printJson({ id, status });
  console.log(id);
  console.error(`Its state: ${nextSteps(options, endpoint, id).get}`);
}

export function addRun(program: Command): void {
  const command = program
    .command('run')
    .description('submit a job and print its id, or wait for its output')
    .argument('<endpoint>', 'id of the endpoint')
    .requiredOption('--input <json>', 'input of the job: JSON, @FILE, or - for the standard input')
    .option('--policy <json>', 'executionTimeout, ttl and lowPriority of the job, as JSON or @FILE')
    .option('--webhook <url>', 'public URL that receives the job when it ends');
  common(
    withWaitOrStream(command),
    'POST /v2/ENDPOINT/run; with --wait GET /v2/ENDPOINT/status/JOB; with --stream each chunk in one line',
    `run chat --input '{"prompt": "Hello"}' --wait`,
  ).action(run);
}
