/**
 * This repository, as `npm start` runs it, with the endpoint `echo`: three workers, each an agent and a container.
 * Settings: the defaults. The container gets the log of executions by a file for `LOCAL_IMAGES`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { dollarsOf } from '../../../../bin/job-calls/dollars.ts';
import { readRecord } from '../../../../bin/job-calls/record.ts';
import { readPrices } from '../../../../lib/prices/prices.ts';
import { type Service, startService } from '../../../../test/support/service.ts';
import { isAlive } from '../processes.ts';
import { readExecutions, unfinished } from './executions.ts';
import { accepted, type Client, createClient } from './http.ts';
import { EXECUTIONS, type Outcome, type Peer, type Running } from './peer.ts';
import { kill, killTree, pidsWith } from './processes.ts';

const ENDPOINT = 'echo';
/** Time limit for a part to run, in milliseconds. */
const FIND_LIMIT = 30_000;
const AGENT = 'worker/main.ts';
/** The scenario of `npm run bench -w packages/lab -- calls` with 3 polls per job on a busy endpoint. */
const SCENARIO = 'run-100';

/** Replaces the image of the endpoint by the same program with a log of executions. */
function writeImages(folder: string): string {
  const file = join(folder, 'images.yaml');
  const command = `EFFECTS_LOG='${join(folder, EXECUTIONS)}' exec '${process.execPath}' examples/echo/main.ts`;
  writeFileSync(file, JSON.stringify({ 'gpu-endpoints/example-echo': { command: ['sh', '-c', command] } }));
  return file;
}

async function statusOf(client: Client, id: string): Promise<Outcome> {
  const answer = await client.get(`/status/${id}`);
  if (answer.status === 404) return 'unknown';
  const status = String(accepted(answer).status);
  if (status === 'COMPLETED') return 'done';
  return status === 'IN_QUEUE' || status === 'IN_PROGRESS' ? 'waiting' : 'failed';
}

/** Kills the first of the processes, as soon as there is one. */
async function killOne(what: string, find: () => readonly number[]): Promise<void> {
  for (const deadline = Date.now() + FIND_LIMIT; Date.now() < deadline; await delay(5)) {
    const [pid] = find();
    if (pid !== undefined) return kill(pid);
  }
  throw new Error(`There was not ${what} to kill within ${FIND_LIMIT} ms.`);
}

async function start(folder: string): Promise<Running> {
  const environment = { LOCAL_IMAGES: writeImages(folder) };
  const state = join(folder, 'state');
  let service: Service;
  let client: Client;

  async function run(): Promise<void> {
    service = await startService(undefined, { stateDir: state, isLogged: false, environment });
    client = createClient(`${service.jobApiUrl}/${ENDPOINT}`, { Authorization: `Bearer ${service.apiKey}` });
  }

  async function restart(): Promise<void> {
    client.close();
    await service.stop();
    await run();
  }

  const executions = () => readExecutions(join(folder, EXECUTIONS));
  await run();
  return {
    pids: () => [service.pid],
    async submit(ms) {
      return String(accepted(await client.post('/run', { input: ms > 0 ? { op: 'effect', ms } : {} })).id);
    },
    outcome: (id) => statusOf(client, id),
    parts: {
      // ECS starts the container and the agent again.
      async worker() {
        await killOne('a worker that runs a job', () => unfinished(executions()).filter(isAlive));
      },
      async agent() {
        await killOne('an agent', () => pidsWith([service.pid], AGENT));
      },
      async '`npm start`'() {
        kill(service.pid);
        await restart();
      },
      async emulators() {
        await killTree(pidsWith([service.pid], 'emulators-process.ts'));
        await restart();
      },
    },
    async stop() {
      client.close();
      await service.stop();
    },
  };
}

function price(): number {
  const { scenarios, memory } = readRecord();
  const scenario = scenarios[SCENARIO];
  if (!scenario) throw new Error(`bin/job-calls/recorded.json has no scenario ${SCENARIO}.`);
  return dollarsOf(readPrices(), scenario, memory).total;
}

export const gpuEndpoints: Peer = {
  name: 'gpu-endpoints',
  title: 'gpu-endpoints (`npm start`)',
  settings: ['the defaults of the endpoint `echo`: 3 workers, 3 attempts'],
  missing: () => undefined,
  start,
  dollars: price,
};
