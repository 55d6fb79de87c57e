/** Assigns threads to the parts of the service. */
import type { Thread } from './threads.ts';

/** Names of the parts that other code refers to. */
export const PART = {
  authorizer: 'authorizer',
  run: '/run',
  status: '/status',
  ledger: 'ledger',
  agent: 'agent',
  main: 'npm start, main thread',
} as const;

const HELPERS = 'collector and compiler';

const processes: readonly (readonly [part: string, command: RegExp])[] = [
  ['emulator of DynamoDB (dynoxide)', /dynoxide serve/],
  ['emulator of SQS and S3 (fauxqs)', /emulators-process/],
  ['ingress', /ingress\/main\.ts/],
  [PART.agent, /worker\/main\.ts/],
  ['npm start', /bin\/start\/main\.mjs/],
  ['container', /examples\//],
];

/** Parts of function threads, by the names of the threads. */
const functions: Readonly<Record<string, string>> = {
  Authorize: PART.authorizer,
  JobsRun: PART.run,
  JobsStatus: PART.status,
  LedgerRecord: PART.ledger,
};

/** Threads that Node.js starts for V8, libuv and the inspector, by their names. */
const HELPER = /^(V8Worker|DelayedTask|SignalInspector|InspectorIo|libuv-worker|node$|WorkerThread|iou-)/;

export const isHelper = ({ pid, tid, name }: Pick<Thread, 'pid' | 'tid' | 'name'>): boolean =>
  pid !== tid && HELPER.test(name);

/** Returns the program that the process runs, such as `agent`. */
export const programOf = (command: string): string =>
  processes.find(([, pattern]) => pattern.test(command))?.[0] ?? 'other processes';

/** Returns the part of the service that the thread belongs to, as the table shows it. */
export function partOf(thread: Pick<Thread, 'pid' | 'tid' | 'command' | 'name'>): string {
  const program = programOf(thread.command);
  if (isHelper(thread)) return `${program}: ${HELPERS}`;
  if (program !== 'npm start') return program;
  if (thread.pid === thread.tid) return PART.main;
  return functions[thread.name] ?? `function ${thread.name}`;
}

/** Returns milliseconds by part, the largest first. */
export function timesByPart(threads: readonly Thread[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const thread of threads) {
    const part = partOf(thread);
    sums.set(part, (sums.get(part) ?? 0) + thread.milliseconds);
  }
  return new Map([...sums].sort(([, one], [, other]) => other - one));
}

/** Number of polls of a job in the figure of the product's work. */
export const POLLS = 3;

export interface Counts {
  readonly jobs: number;
  /** Requests of `/run`, with refused ones. */
  readonly runs: number;
  /** Requests of `/status`, with refused ones. */
  readonly polls: number;
}

export interface ProductWork {
  /** Authorizer, `/run` and exactly three polls. */
  readonly requests: number;
  readonly agent: number;
  readonly ledger: number;
}

/**
 * Returns the milliseconds of a job that are spent in AWS too. The authorizer's time is divided equally among all
 * requests. The agent's includes its collector and compiler; those of the functions share a process with `npm start`.
 */
export function productWork(times: ReadonlyMap<string, number>, { jobs, runs, polls }: Counts): ProductWork {
  const time = (part: string) => times.get(part) ?? 0;
  const authorizer = (time(PART.authorizer) / Math.max(1, runs + polls)) * (1 + POLLS);
  const requests = authorizer + time(PART.run) / jobs + (time(PART.status) / Math.max(1, polls)) * POLLS;
  const agent = (time(PART.agent) + time(`${PART.agent}: ${HELPERS}`)) / jobs;
  return { requests, agent, ledger: time(PART.ledger) / jobs };
}
