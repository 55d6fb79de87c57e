/** Runs jobs as clients do, and checks how each job ends. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Client, Reply } from './client.ts';

/** A job whose submission was acknowledged. */
interface Job {
  readonly id: string;
  readonly plan: Plan;
  /** Status in the response of `/cancel`, if it was called. */
  readonly cancelled?: unknown;
  /** The first response with a final status, or an error response. */
  readonly record: Reply;
}

interface Plan {
  readonly by: 'run' | 'runsync';
  readonly input: object;
  readonly cancel?: boolean;
  /** Whether the client waits for the job with `/status-sync`. */
  readonly waits?: boolean;
  /** Expected fields of the job record, unless the job is cancelled. */
  readonly expected: Readonly<Record<string, unknown>>;
}

const TERMINAL = ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'];
/**
 * Milliseconds until a job must have ended. A message whose receiver is lost becomes visible again after 30 s.
 * This can happen several times to one job.
 */
const LIMIT = 110_000;
/** Milliseconds of one wait. It is short because a crashing function breaks all calls that wait in its thread. */
const WAIT = 2_000;
const POLL = { first: 100, max: 1_000 };

/** Sizes of inputs that are stored in the job's item, in a separate item, and in an S3 object. */
const SIZES = [0, 0, 0, 3_000, 0, 12_000];

function planOf(n: number): Plan {
  const waits = n % 3 === 0;
  if (n % 12 === 5) {
    const message = `no model ${n}`;
    const expected = { status: 'FAILED', code: 'WORKER_ERROR', error: message };
    return { by: 'run', input: { op: 'fail', message }, waits, expected };
  }
  if (n % 12 === 11) {
    const expected = { status: 'COMPLETED', output: { slept: 2_000 } };
    return { by: 'run', input: { op: 'sleep', ms: 2_000 }, cancel: true, waits, expected };
  }
  const input = { n, text: 'x'.repeat(SIZES[n % SIZES.length] ?? 0) };
  return { by: n % 6 === 2 ? 'runsync' : 'run', input, waits, expected: { status: 'COMPLETED', output: input } };
}

const isOver = ({ json }: Reply) => TERMINAL.includes(String(json.status));

async function endOf(client: Client, id: string, { waits = false }: Plan): Promise<Reply> {
  let pause = POLL.first;
  for (const deadline = Date.now() + LIMIT; Date.now() < deadline; ) {
    const record = await client.ask('GET', waits ? `/echo/status-sync/${id}?wait=${WAIT}` : `/echo/status/${id}`);
    if (record.status !== 200 || isOver(record)) return record;
    await delay(pause);
    pause = Math.min(pause * 1.5, POLL.max);
  }
  throw new Error(`Job ${id} has not ended within ${LIMIT} ms.`);
}

async function doJob(client: Client, plan: Plan): Promise<Job> {
  const query = plan.by === 'runsync' ? `?wait=${WAIT}` : '';
  const body = JSON.stringify({ input: plan.input });
  const accepted = await client.ask('POST', `/echo/${plan.by}${query}`, { body });
  if (accepted.status !== 200) throw new Error(`/${plan.by} answered ${accepted.status} ${accepted.text}`);
  const id = String(accepted.json.id);
  const cancelled = plan.cancel && (await client.ask('POST', `/echo/cancel/${id}`)).json.status;
  return { id, plan, cancelled, record: isOver(accepted) ? accepted : await endOf(client, id, plan) };
}

function problemOf({ id, plan, cancelled, record }: Job, mayLose: boolean): string | undefined {
  const { status, code, attempts = 0 } = record.json;
  const problem = (what: string) => `${id} ${what}: ${record.status} ${record.text.slice(0, 300)}`;
  if (record.status !== 200) return problem('cannot be read');
  if (Number(attempts) > (mayLose ? 3 : 1)) return problem(`has ${attempts} attempts`);
  if (cancelled !== undefined && cancelled !== status) return problem(`was ${cancelled} in the response of /cancel`);
  if (cancelled === 'CANCELLED') return undefined;
  if (mayLose && code === 'WORKER_LOST' && attempts === 3) return undefined;
  const same = Object.entries(plan.expected).every(
    ([name, value]) => JSON.stringify(record.json[name]) === JSON.stringify(value),
  );
  return same ? undefined : problem(`should have ended as ${JSON.stringify(plan.expected).slice(0, 100)}`);
}

/**
 * Checks that an ended job does not change. Results of `/runsync` are skipped, because they expire after a minute.
 */
async function deltaOf(client: Client, { id, plan, record }: Job): Promise<string | undefined> {
  if (plan.by === 'runsync') return undefined;
  const later = await client.ask('GET', `/echo/status/${id}`);
  return later.text === record.text ? undefined : `${id} changed from ${record.text} to ${later.text}`;
}

/** Processes the items in the given number of lanes, one item at a time in each lane. */
async function inLanes<Work, Result>(lanes: number, works: readonly Work[], one: (work: Work) => Promise<Result>) {
  const results: Result[] = [];
  const queue = [...works];
  const lane = async () => {
    for (let work = queue.shift(); work !== undefined; work = queue.shift()) results.push(await one(work));
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}

const LANES = 20;

/**
 * Submits the jobs, 20 at a time, and returns the problems that it found.
 * @param mayLose whether workers can die, so that a job can start again
 * @param lastBegins is called when the last job is submitted
 */
export async function doJobs(
  client: Client,
  count: number,
  { mayLose, lastBegins }: { mayLose: boolean; lastBegins: () => void },
): Promise<string[]> {
  const numbers = Array.from({ length: count }, (_, n) => n);
  const jobs: Job[] = [];
  const failures: string[] = [];
  await inLanes(LANES, numbers, async (n) => {
    if (n === count - 1) lastBegins();
    try {
      jobs.push(await doJob(client, planOf(n)));
    } catch (error) {
      failures.push((error as Error).message);
    }
  });
  const changes = await inLanes(LANES, jobs, (job) => deltaOf(client, job));
  const problems = [...jobs.map((job) => problemOf(job, mayLose)), ...changes];
  return [...failures, ...problems.filter((problem) => problem !== undefined)];
}
