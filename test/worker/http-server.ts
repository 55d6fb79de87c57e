/** An HTTP server that a test controls, and an agent that calls it over the emulated deployment. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeAll } from '@jest/globals';
import type { Ports } from '../../aws/ports.ts';
import { type Pause, systemClock } from '../../core/clock.ts';
import { cancel } from '../../core/jobs/cancel.ts';
import { status } from '../../core/status/status.ts';
import { stream } from '../../core/streams/stream.ts';
import type { Agent } from '../../worker/agent/agent.ts';
import { openSlots, type Slots } from '../../worker/http/slots.ts';
import { eventually } from '../acceptance/local-service.ts';
import type { EmulatedDeployment } from '../support/emulated-deployment.ts';
import { createAgents } from './agents.ts';
import { emulated, useEmulatedAgents } from './emulated-agents.ts';

export interface Posted {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: string;
  /** The body of the request, as bytes. */
  readonly bytes: Buffer;
}

/** Returns a part of an endpoint id for a test of `it.each`, made from the words of its row. */
export const idOf = (row: string) => row.toLowerCase().replaceAll(/\W+/g, '-');

/** Answers the nth POST request. */
export type Answer = (posted: Posted, n: number) => unknown;

export interface SmallServer {
  readonly port: number;
  /** The status with which `/health` answers. */
  health: number;
  /** Number of health checks. */
  readonly asked: number;
  readonly posts: number;
  die(): void;
  revive(): Promise<void>;
}

export const START_TIMEOUT = 300_000;

async function startServer(answer: Answer, health: number): Promise<SmallServer> {
  let [asked, posts, port] = [0, 0, 0];
  let server: Server;

  async function start(): Promise<void> {
    server = createServer(async (request, response) => {
      if (request.url === '/health') {
        asked += 1;
        response.writeHead(small.health).end();
        return;
      }
      posts += 1;
      const n = posts;
      const bytes = await buffer(request);
      await answer({ request, response, body: bytes.toString(), bytes }, n);
    }).listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  }

  const small: SmallServer = {
    health,
    get port() {
      return port;
    },
    get asked() {
      return asked;
    },
    get posts() {
      return posts;
    },
    die: () => server.close().closeAllConnections(),
    revive: start,
  };
  await start();
  return small;
}

interface Differences {
  readonly health?: number;
  readonly concurrency?: number;
  readonly ports?: Ports;
  /**
   * Whether the health of an idle server is checked, with short pauses.
   * @default false
   */
  readonly looked?: boolean;
}

/** The response of `/status` for a job, parsed and as a string. */
export interface JobRecord {
  readonly text: string;
  readonly [field: string]: unknown;
}

export interface HttpWorker {
  readonly server: SmallServer;
  readonly agent: Agent;
  readonly slots: Slots;
  submit(body?: string): Promise<string>;
  /** Returns the job as clients read it. */
  read(id: string): Promise<JobRecord>;
  /** Waits until the job has this status, and returns it. */
  becomes(id: string, status: string): Promise<JobRecord>;
  cancel(id: string): Promise<unknown>;
  /** Returns the outputs of the job's chunks. */
  streamed(id: string): Promise<readonly unknown[]>;
}

/** Shortens long pauses. Only the test advances the clock. */
const brief: Pause = (milliseconds, signal) => systemClock.pause(Math.min(milliseconds, 5), signal);
const unlooked: Pause = (milliseconds, signal) =>
  milliseconds < 5_000 ? brief(milliseconds, signal) : systemClock.pause(2 ** 30, signal);

function createHttpWorkers(emulated: EmulatedDeployment) {
  const agents = createAgents(emulated);
  const opened: HttpWorker[] = [];

  return {
    /** Deploys the endpoint, and starts a server and an agent that calls the server. */
    async open(endpoint: string, answer: Answer, differences: Differences = {}): Promise<HttpWorker> {
      const { health = 200, concurrency = 1, ports = emulated.ports, looked = false } = differences;
      await emulated.deploy(endpoint);
      const server = await startServer(answer, health);
      const agent = await agents.start(endpoint, 'w1', { ports });
      const settings = { path: '/work?a=1', healthPath: '/health', startTimeout: START_TIMEOUT, concurrency };
      const host = {
        clock: emulated.clock,
        log: { info: () => {}, error: () => {} },
        pause: looked ? brief : unlooked,
      };
      const slots = openSlots(agent, { port: server.port, ...settings }, host);
      const read = async (id: string): Promise<JobRecord> => {
        const record = String(await status(ports, { endpoint, id }));
        return { ...(JSON.parse(record) as object), text: record };
      };
      const worker: HttpWorker = {
        server,
        agent,
        slots,
        read,
        submit: (body) => agents.submit(endpoint, body),
        becomes: (id, wanted) =>
          eventually(
            `${id} is ${wanted}`,
            async () => {
              const job = await read(id);
              return job.status === wanted ? job : undefined;
            },
            { every: 10 },
          ),
        cancel: (id) => cancel(ports, { endpoint, id }),
        async streamed(id) {
          const pieces = await Array.fromAsync(await stream(ports, { endpoint, id }));
          return (JSON.parse(pieces.join('')) as { output: unknown }[]).map(({ output }) => output);
        },
      };
      opened.push(worker);
      return worker;
    },

    /** Stops all workers. */
    async end(): Promise<void> {
      for (const { server, slots } of opened.splice(0)) {
        slots.end();
        server.die();
      }
      await agents.end();
    },
  };
}

export let workers: ReturnType<typeof createHttpWorkers>;

/**
 * Sets the emulated ports and the workers before the first test of the file, and stops the workers after each
 * test.
 */
export function useHttpWorkers(): void {
  useEmulatedAgents();
  beforeAll(() => {
    workers = createHttpWorkers(emulated);
  });
  afterEach(() => workers.end());
}
