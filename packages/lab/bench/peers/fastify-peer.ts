/** Runs a peer of three processes: a store, an API with Fastify, and a worker. */
import { join } from 'node:path';
import { createClient } from './http.ts';
import { outcomeOf, submitJob } from './jobs-api.ts';
import { CONCURRENCY, EXECUTIONS, type Running } from './peer.ts';
import { programsWithPackages } from './programs.ts';
import { type Supervised, supervise } from './supervised.ts';

export interface FastifyPeer {
  /** Folder of the peer. */
  readonly folder: string;
  /** Beginning of the names of its programs: `NAME-api.mjs` and `NAME-worker.mjs`. */
  readonly name: string;
  /** Port of the API. */
  readonly port: number;
  /** Variables with which both programs find the store. */
  readonly storeEnvironment: Readonly<Record<string, string>>;
  readonly storeTitle: string;
  readonly store: Supervised;
}

export async function startFastifyPeer(peer: FastifyPeer): Promise<Running> {
  const { folder, name, port, storeEnvironment, storeTitle, store } = peer;
  const programs = await programsWithPackages();
  const environment = {
    ...storeEnvironment,
    PORT: String(port),
    CONCURRENCY: String(CONCURRENCY),
    EXECUTIONS: join(folder, EXECUTIONS),
  };
  const program = (part: 'api' | 'worker') => ({
    command: process.execPath,
    args: [join(programs, `${name}-${part}.mjs`)],
    environment,
    log: join(folder, `${part}.log`),
  });
  const api = await supervise({ ...program('api'), port });
  const worker = await supervise(program('worker'));
  const client = createClient(`http://127.0.0.1:${port}`);
  return {
    pids: () => [store, api, worker].map(({ pid }) => pid()),
    submit: (ms) => submitJob(client, ms),
    outcome: (id) => outcomeOf(client, id),
    parts: { API: api.kill, worker: worker.kill, [storeTitle]: store.kill },
    async stop() {
      client.close();
      for (const one of [worker, api, store]) await one.stop();
    },
  };
}
