/** Starts a worker as a container does: as a process, with a fake agent. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, record } from '../acceptance/local-service.ts';
import { isAlive } from '../runner/processes.ts';
import { type FakeAgent, startFakeAgent } from './fake-agent.ts';

/** An event that a handler has written. */
export interface HandlerEvent {
  readonly event: 'start' | 'job' | 'child';
  readonly pid: number;
  readonly at: number;
}

export interface WorkerProcess {
  readonly agent: FakeAgent;
  readonly process: ChildProcess;
  readonly pid: number;
  printed(): string;
  /** Returns the events that the worker's handlers have written so far. */
  events(event: HandlerEvent['event']): readonly HandlerEvent[];
  /** Waits for the report of a job and returns it, parsed. */
  reported(id: string): Promise<unknown>;
  /** Waits until the handler has begun this many jobs, and returns the process of the last job. */
  begun(jobs: number): Promise<number>;
  /** Waits for a process that a handler has started, and returns it. */
  handlerChild(): Promise<number>;
  /** Clears the reports, events and output so far. */
  forget(): void;
  end(): Promise<void>;
}

export async function startWorkerProcess(
  variables: Readonly<Record<string, string>> = {},
  script = 'test/worker/handler.ts',
): Promise<WorkerProcess> {
  const agent = await startFakeAgent();
  const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-worker-'));
  const file = join(folder, 'events');
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, ENDPOINT_ID: 'e', AGENT_PORT: String(agent.port), EVENTS: file, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = record(child);
  const forgotten = { events: 0, characters: 0 };

  function allEvents(): HandlerEvent[] {
    try {
      const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
      return lines.map((line) => JSON.parse(line) as HandlerEvent);
    } catch {
      return []; // The file does not exist yet.
    }
  }

  const events = (event: HandlerEvent['event']) =>
    allEvents()
      .slice(forgotten.events)
      .filter((one) => one.event === event);

  return {
    agent,
    process: child,
    pid: child.pid ?? 0,
    printed: () => printed().slice(forgotten.characters),
    events,
    reported: (id) =>
      eventually(
        `${id} is reported`,
        () => {
          const report = agent.reports.find((one) => one.id === id);
          return report && JSON.parse(report.body);
        },
        { every: 5 },
      ),
    begun: (jobs) => eventually(`${jobs} jobs have begun`, () => events('job')[jobs - 1]?.pid, { every: 5 }),
    handlerChild: () => eventually('a process was started', () => events('child').at(-1)?.pid, { every: 5 }),
    forget() {
      agent.forget();
      Object.assign(forgotten, { events: allEvents().length, characters: printed().length });
    },
    async end() {
      agent.close();
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Milliseconds for which the end of a test waits for a worker to ask for another job. */
const PATIENCE = 1_000;

type Variables = Readonly<Record<string, string>>;

export interface SharedWorkers {
  /** Returns a worker with these variables that waits for a job: the worker of an earlier test, or a new worker. */
  waiting(variables?: Variables): Promise<WorkerProcess>;
  /** Starts a worker for one test. */
  start(variables: Variables): Promise<WorkerProcess>;
  /** Stops the workers of one test, and workers that do not wait for a job. Called after each test. */
  endOthers(): Promise<void>;
  end(): Promise<void>;
}

/** Creates the workers of a test file. Tests share workers, because a start takes longer than most tests. */
export function createSharedWorkers(): SharedWorkers {
  const workers = new Map<string, WorkerProcess>();
  const own: WorkerProcess[] = [];

  async function waits({ agent, process: { exitCode, signalCode } }: WorkerProcess, within: number): Promise<boolean> {
    if (exitCode !== null || signalCode !== null) return false;
    const waiting = eventually('the worker waits for a job', () => agent.waiting > 0 || undefined, {
      within,
      every: 5,
    });
    return waiting.catch(() => false);
  }

  return {
    async waiting(variables = {}) {
      const key = JSON.stringify(variables);
      const worker = workers.get(key) ?? (await startWorkerProcess(variables));
      workers.set(key, worker);
      await eventually('the worker waits for a job', () => worker.agent.waiting || undefined, { every: 5 });
      worker.forget();
      return worker;
    },
    async start(variables) {
      const worker = await startWorkerProcess(variables);
      own.push(worker);
      return worker;
    },
    async endOthers() {
      for (const worker of own.splice(0)) await worker.end();
      for (const [key, worker] of workers)
        if (!(await waits(worker, PATIENCE))) {
          workers.delete(key);
          await worker.end();
        }
    },
    async end() {
      await Promise.all([...workers.values()].map((worker) => worker.end()));
    },
  };
}

export const died = (pid: number): Promise<true> =>
  eventually(`process ${pid} has exited`, () => (isAlive(pid) ? undefined : true), { every: 5 });
