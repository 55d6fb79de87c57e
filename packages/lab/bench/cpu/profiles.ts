/** Takes CPU profiles of the service while jobs run. */

import { setTimeout as delay } from 'node:timers/promises';
import { type Inspector, openInspector, type Send } from '../../../../test/support/inspector.ts';
import { isPortFree, type Service } from '../../../../test/support/service.ts';
import { report } from '../command.ts';
import type { CpuProfile } from './attribution.ts';
import { PART, partOf, programOf } from './parts.ts';
import { threadsOf } from './threads.ts';

export interface TakenProfile {
  /** Part of the service, as in the table of parts. */
  readonly part: string;
  readonly profile: CpuProfile;
}

/** Microseconds between two samples. */
const INTERVAL = 1_000;
/** Port on which Node.js opens an inspector after SIGUSR1. */
const AGENT_PORT = 9229;
/** Time limit of the agent's inspector, in milliseconds. */
const OPEN_LIMIT = 10_000;
const OPEN_PERIOD = 100;

interface Profiling {
  readonly part: string;
  readonly send: Send;
}

async function urlOfAgent(): Promise<string | undefined> {
  for (const deadline = Date.now() + OPEN_LIMIT; Date.now() < deadline; await delay(OPEN_PERIOD)) {
    const response = await fetch(`http://127.0.0.1:${AGENT_PORT}/json/list`).catch(() => undefined);
    if (!response) continue;
    const [target] = (await response.json()) as { webSocketDebuggerUrl: string }[];
    return target?.webSocketDebuggerUrl;
  }
  return undefined;
}

/** Opens the inspector of one agent. Returns undefined, and reports why, if the port is not free. */
async function openAgent(service: Service): Promise<Inspector | undefined> {
  const agent = threadsOf(service.pid)
    .filter(({ command, pid, tid }) => programOf(command) === PART.agent && pid === tid)
    .toSorted((one, other) => other.milliseconds - one.milliseconds)[0];
  const without = (reason: string) => void report(`No profile of an agent: ${reason}`);
  if (!agent) return without('the service runs no agent.');
  if (!(await isPortFree(AGENT_PORT))) return without(`another process uses port ${AGENT_PORT}.`);
  process.kill(agent.pid, 'SIGUSR1');
  const url = await urlOfAgent();
  if (url === undefined) return without(`its inspector was not open after ${OPEN_LIMIT} ms.`);
  const inspector = await openInspector(url);
  const { result } = await inspector.send('Runtime.evaluate', { expression: 'process.pid' });
  if ((result as { value: number }).value === agent.pid) return inspector;
  inspector.close();
  return without(`another process uses port ${AGENT_PORT}.`);
}

/**
 * Returns the part of a function's thread.
 * @param title such as `[worker 3] JobsRun`
 */
export function partOfWorker(title: string): string {
  const name = title.replace(/^\[worker \d+\] ?/, '');
  return partOf({ pid: 0, tid: 1, command: 'bin/start/main.mjs', name });
}

async function start({ send }: Profiling): Promise<void> {
  await send('Profiler.enable');
  await send('Profiler.setSamplingInterval', { interval: INTERVAL });
  await send('Profiler.start');
}

async function stop({ part, send }: Profiling): Promise<TakenProfile> {
  const { profile } = await send('Profiler.stop');
  return { part, profile: profile as CpuProfile };
}

/**
 * Profiles the main thread of the service, all its functions and one agent during `load`.
 * @throws Error if the service was started without `--inspect`
 */
export async function profileDuring(service: Service, load: () => Promise<void>): Promise<TakenProfile[]> {
  const { inspectorUrl } = service;
  if (inspectorUrl === undefined) throw new Error('The service has no inspector.');
  const main = await openInspector(inspectorUrl);
  const agent = await openAgent(service);
  try {
    const threads: Profiling[] = [{ part: PART.main, send: main.send }];
    for (const { title, send } of await main.workers()) threads.push({ part: partOfWorker(title), send });
    if (agent) threads.push({ part: PART.agent, send: agent.send });
    await Promise.all(threads.map(start));
    await load();
    return await Promise.all(threads.map(stop));
  } finally {
    main.close();
    agent?.close();
  }
}
