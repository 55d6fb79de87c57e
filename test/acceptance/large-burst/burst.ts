/** Sends the bursts, and records what their clients, their workers and the service's process show. */
import { isDeepStrictEqual } from 'node:util';
import { MINUTE, SECOND } from '../../../core/limits.ts';
import { collectHeaps, type Heap } from '../../support/heaps.ts';
import { eventually } from '../local-service.ts';
import { type AcceptedJobs, fails, recordJobs } from './accepted-jobs.ts';
import { type Bystander, runBystander } from './bystander.ts';
import { RUNNING } from './endpoints.ts';
import { type BurstRequest, burstsOf, FIRST_OF_WARM_UP } from './requests.ts';
import type { Scene } from './scene.ts';
import { createSender, type NoReply, type Reply } from './sender.ts';
import { jsonOf, outcomeOf, problemOf } from './verdict.ts';

/** Part of the requests that is sent before, so that the bursts find compiled code and open connections. */
const WARM_UP = 0.1;
/** Milliseconds for all jobs to end on a busy machine. */
const ENDS_WITHIN = 5 * MINUTE;

export type Outcomes = ReadonlyMap<string, ReadonlyMap<string, number>>;

export interface Burst {
  /** Number of requests, without the warm-up. */
  readonly requests: number;
  /** One line for each reply that the contract does not allow, and for each wrong counter. */
  readonly problems: readonly string[];
  /** Number of replies to the bursts by endpoint and operation, and by status and code. */
  readonly outcomes: Outcomes;
  readonly jobs: AcceptedJobs;
  /** Sum of `removed` in the responses of `/purge-queue`. */
  readonly removed: number;
  readonly bystander: Bystander;
  /** Bytes by which the heap has grown, after a collection. */
  readonly growth: number;
  /** Milliseconds of the last burst, whose operations have exact limits. */
  readonly last: number;
  /** Milliseconds until the last reply, and until the last job has ended. */
  readonly sent: number;
  readonly ended: number;
}

const inCommon = (heaps: readonly Heap[], others: readonly Heap[]) =>
  heaps.filter(({ name }) => others.some((other) => other.name === name)).reduce((sum, { used }) => sum + used, 0);

/** Records the replies. */
function createRecorder(seed: number) {
  const jobs = recordJobs();
  const problems: string[] = [];
  const outcomes = new Map<string, Map<string, number>>();
  let removed = 0;

  function accept(request: BurstRequest, { id, removed: number }: Readonly<Record<string, unknown>>) {
    if (request.operation === 'purge-queue') removed += Number(number);
    const submits = request.operation === 'run' || request.operation === 'runsync';
    return submits ? jobs.add(request, String(id)) : undefined;
  }

  return {
    jobs,
    problems,
    outcomes,
    removed: () => removed,
    onEnd(request: BurstRequest, path: string, reply: Reply | NoReply): void {
      const name = `${request.endpoint} ${request.operation}`;
      const counts = outcomes.get(name) ?? new Map<string, number>();
      outcomes.set(name, counts);
      const outcome = outcomeOf(reply);
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      const refused = problemOf(request, reply);
      const problem = refused ?? (outcome === '200' ? accept(request, jsonOf(reply as Reply) ?? {}) : undefined);
      if (problem) problems.push(`BURST_SEED=${seed} ${request.method} ${path} (key ${request.key}) ${problem}`);
    },
  };
}

type Recorder = ReturnType<typeof createRecorder>;

/** Waits until the counters of `/health` are those of the accepted jobs. Records a problem if they never are. */
async function haveEnded({ client }: Scene, { jobs, problems }: Recorder, endpoint: string): Promise<void> {
  const accepted = jobs.of(endpoint);
  const failed = accepted.filter(fails).length;
  const wanted = { completed: accepted.length - failed, failed, inProgress: 0, inQueue: 0, retried: 0 };
  let last: unknown;
  const look = async () => {
    last = (await client.ask('GET', `/${endpoint}/health`)).json.jobs;
    return isDeepStrictEqual(last, wanted) || undefined;
  };
  await eventually(`/health of ${endpoint} agrees`, look, { within: ENDS_WITHIN, every: SECOND }).catch(() =>
    problems.push(`/health of ${endpoint} is ${JSON.stringify(last)} instead of ${JSON.stringify(wanted)}`),
  );
}

/**
 * Sends the warm-up, then the bursts one after the other, and waits until their jobs have ended.
 * @param report called with each step
 */
export async function runBurst(scene: Scene, seed: number, report: (step: string) => void): Promise<Burst> {
  const { service, keys, inspector } = scene;
  const { jobApiUrl } = service;
  const recorder = createRecorder(seed);
  const { jobs, problems, outcomes, onEnd } = recorder;
  const sender = createSender({ jobApiUrl, keys, jobOf: jobs.jobOf, onEnd });
  const allEnd = async () => {
    for (const endpoint of RUNNING) await haveEnded(scene, recorder, endpoint);
  };
  let last = 0;
  async function send(bursts: readonly (readonly BurstRequest[])[]) {
    for (const burst of bursts) {
      const begin = performance.now();
      await sender.burst(burst);
      last = performance.now() - begin;
      report(`${burst.length} requests in ${Math.round(last)} ms`);
    }
  }

  await send(burstsOf(seed + 1, WARM_UP, FIRST_OF_WARM_UP));
  await allEnd();
  const before = await collectHeaps(inspector);
  outcomes.clear();
  report('the warm-up has ended');

  const bursts = burstsOf(seed, 1, 0);
  const begin = performance.now();
  const first = sender.replies();
  let hasEnded = false;
  const [, bystander] = await Promise.all([
    send(bursts).finally(() => {
      hasEnded = true;
    }),
    runBystander(jobApiUrl, keys.other, { progress: () => sender.replies() - first, hasEnded: () => hasEnded }),
  ]);
  const sent = performance.now() - begin;
  await allEnd();
  const ended = performance.now() - begin;
  sender.stop();
  const after = await collectHeaps(inspector);
  const growth = inCommon(after, before) - inCommon(before, after);
  const requests = bursts.flat().length;
  return { requests, problems, outcomes, jobs, removed: recorder.removed(), bystander, growth, last, sent, ended };
}
