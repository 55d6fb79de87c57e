/** A load, and what the record says about one of its jobs. */
import type { Line } from '../job-calls/figures.ts';
import type { Recorded } from '../job-calls/record.ts';

/** The kinds of jobs, with the scenario of `bench -- calls` from which their calls are known. */
export const kinds = { run: 'run-100', webhook: 'webhook-100', large: 'large' } as const;
export type Kind = keyof typeof kinds;

export interface Load {
  /** Over all endpoints, which have equal shares. */
  readonly jobsPerSecond: number;
  readonly endpoints: number;
  /** Running time of a job. */
  readonly jobSeconds: number;
  /** Jobs that one worker runs at the same time. */
  readonly concurrency: number;
  readonly kind: Kind;
  /** What workers run on: Fargate, or GPU instances with one worker each. */
  readonly workers: 'cpu' | 'gpu';
  /** Processors of a worker on Fargate, or of an instance. */
  readonly vcpus: number;
  /** Whether jobs have an `s3Config`. */
  readonly secrets: boolean;
}

/** What one job causes. */
export interface JobCost {
  /** Requests of HTTP: one to submit the job, and polls. */
  readonly requests: number;
  readonly ledgerInvocations: number;
  readonly deliveries: number;
  /** Memory of the functions, in MB. */
  readonly memory: number;
  /** Returns the sum of a figure over the calls of one job. */
  sum(figure: 'calls' | 'wru' | 'rru' | 'sqs' | 's3Put' | 's3Get', target: string): number;
  /** The resources that the calls access. */
  readonly targets: readonly string[];
  /** Calls of one sweep for each endpoint. */
  readonly sweepCalls: number;
}

export function costOf(recorded: Recorded, kind: Kind): JobCost {
  const name = kinds[kind];
  const scenario = recorded.scenarios[name];
  if (!scenario)
    throw new Error(`The record has no scenario ${name}: run npm run bench -w packages/lab -- calls --record.`);
  const { lines, requests, ledgerInvocations, deliveries = 0, jobs = 1 } = scenario;
  const sweeps = recorded.standing.filter((line: Line) => line.actor === 'sweeper' && line.operation !== 'Scan');
  return {
    requests,
    ledgerInvocations,
    deliveries,
    memory: recorded.memory,
    sum: (figure, target) =>
      lines.filter((line) => line.target === target).reduce((total, line) => total + line[figure], 0) / jobs,
    targets: [...new Set(lines.map(({ target }) => target))],
    sweepCalls: sweeps.reduce((total, { calls }) => total + calls, 0) / recorded.endpoints,
  };
}
