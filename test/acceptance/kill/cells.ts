/** The cells of the kill matrix: the target process, the phase, the signal, and the allowed numbers of attempts. */

/**
 * Processes that a signal can hit. The user's container has two: the supervisor talks to the agent, and the runner
 * runs the handler.
 */
export const targets = ['supervisor', 'runner', 'agent', 'task'] as const;
export type Target = (typeof targets)[number];

/**
 * - idle: the worker has no job, and the job is submitted after the signal
 * - taking: the jobs table names the worker as the holder, and the agent has not received the response
 * - running: the handler works
 * - finishing: the handler has had its effect, and its result is in transit: to the supervisor if the signal hits the
 *   runner, otherwise to the jobs table
 * - recorded: the result is in the jobs table, and the agent has not received the response
 */
export type Phase = 'idle' | 'taking' | 'running' | 'finishing' | 'recorded';

export type Signal = 'SIGTERM' | 'SIGKILL' | 'SIGSTOP';

export interface Cell {
  readonly target: Target;
  readonly phase: Phase;
  readonly signal: Signal;
  /** Allowed numbers of attempts of the cell's job. There are several if a race decides. */
  readonly attempts: readonly number[];
  /**
   * Maximum number of workers of the endpoint. If it is two, the second takes over while the first still has its
   * processes.
   */
  readonly workers: 1 | 2;
  /** Milliseconds that the handler works in the first attempt. */
  readonly works: number;
  /** Whether the signal waits until the worker's lease names the job. The job's message is deleted by then. */
  readonly named: boolean;
  /** Milliseconds within which all jobs must have ended, if that time shows how the job was requeued. */
  readonly within?: number;
}

export const nameOf = ({ target, phase, signal }: Cell): string => `${signal} to the ${target} in phase ${phase}`;

const WORKS: Readonly<Record<Phase, number>> = { idle: 0, taking: 1_500, running: 4_000, finishing: 500, recorded: 0 };
/** Milliseconds of work that are longer than the way of a signal on a busy machine. */
const WORKS_LONG = 15_000;
/** Milliseconds of work that are longer than one beat. */
const WORKS_NAMED = 13_000;

function cell(
  name: `${Target} ${Phase} ${Signal}`,
  attempts: readonly number[],
  options: Partial<Pick<Cell, 'works' | 'named' | 'workers' | 'within'>> = {},
): Cell {
  const [target, phase, signal] = name.split(' ') as [Target, Phase, Signal];
  const { named = false } = options;
  const workers = signal === 'SIGSTOP' && (target === 'agent' || target === 'task') ? 2 : 1;
  return { target, phase, signal, attempts, workers, named, works: named ? WORKS_NAMED : WORKS[phase], ...options };
}

/** All cells. Short and long cells alternate. */
export const cells: readonly Cell[] = [
  // A stopped agent does not renew its lease, so another worker takes the job.
  cell('agent running SIGSTOP', [2], { named: true }),
  cell('task running SIGSTOP', [2], { named: true }),
  cell('agent finishing SIGSTOP', [2]),
  cell('task finishing SIGSTOP', [2]),
  cell('agent taking SIGSTOP', [2]),
  cell('task taking SIGSTOP', [2]),
  cell('agent idle SIGSTOP', [1]),
  cell('task idle SIGSTOP', [1]),

  // The old container still runs when another worker takes the job, because it takes more than 5 s to stop.
  cell('agent running SIGTERM', [2], { works: 30_000, workers: 2 }),

  // An agent that is not stopped keeps the job for its container, no matter how long the container is stopped.
  cell('supervisor idle SIGSTOP', [1]),
  cell('supervisor taking SIGSTOP', [1]),
  cell('supervisor running SIGSTOP', [1]),
  cell('supervisor finishing SIGSTOP', [1]),
  cell('runner idle SIGSTOP', [1]),
  cell('runner taking SIGSTOP', [1]),
  cell('runner running SIGSTOP', [1]),
  cell('runner finishing SIGSTOP', [1]),

  // In phase idle, the dying worker might still take the job.
  cell('agent idle SIGKILL', [1, 2]),
  cell('agent taking SIGKILL', [2]),
  cell('supervisor idle SIGTERM', [1, 2]),
  cell('agent running SIGKILL', [2], { named: true }),
  cell('runner running SIGTERM', [2], { works: WORKS_LONG }),
  cell('task taking SIGKILL', [2]),
  cell('runner idle SIGTERM', [1, 2]),
  cell('agent finishing SIGKILL', [2]),
  cell('supervisor finishing SIGTERM', [1]),
  // ECS reports the stopped task, so the job is requeued while the worker's lease is valid for another 29 s.
  cell('task running SIGKILL', [2], { named: true, within: 25_000 }),
  cell('supervisor finishing SIGKILL', [1]),
  cell('task finishing SIGKILL', [2]),
  cell('runner taking SIGTERM', [2]),
  // The job is requeued immediately, so no worker waits the 30 s until its message is visible.
  cell('agent taking SIGTERM', [1, 2], { within: 25_000 }),
  cell('task idle SIGKILL', [1, 2]),
  cell('task taking SIGTERM', [1, 2], { within: 25_000 }),
  cell('runner finishing SIGTERM', [2]),
  cell('supervisor idle SIGKILL', [1, 2]),
  // A runner that outlived its supervisor would still run the job when another worker starts.
  cell('supervisor running SIGKILL', [2], { works: 20_000 }),
  cell('runner idle SIGKILL', [1, 2]),
  cell('supervisor taking SIGTERM', [1, 2]),
  cell('agent idle SIGTERM', [1, 2]),
  cell('supervisor taking SIGKILL', [2]),
  cell('task recorded SIGKILL', [1]),
  cell('runner running SIGKILL', [2], { named: true }),
  cell('agent recorded SIGKILL', [1]),
  // A supervisor that gets SIGTERM finishes its job.
  cell('supervisor running SIGTERM', [1]),
  cell('task running SIGTERM', [2], { works: WORKS_LONG }),
  cell('runner taking SIGKILL', [2]),
  cell('agent finishing SIGTERM', [1]),
  cell('runner finishing SIGKILL', [2]),
  cell('task idle SIGTERM', [1, 2]),
  cell('task finishing SIGTERM', [1, 2]),
];
