/**
 * Fastify, BullMQ and Redis. Settings, each from BullMQ's guide "Going to production" or stricter:
 *
 * - Redis: `appendonly yes`, and `appendfsync always` instead of the recommended `everysec`: a write is on the disk
 *   before Redis acknowledges it. `maxmemory-policy noeviction`. No snapshots.
 * - queue: `enableOfflineQueue: false`, so that requests fail while Redis is away
 * - worker: `maxRetriesPerRequest: null`; the defaults `lockDuration` 30 s, `stalledInterval` 30 s and
 *   `maxStalledCount` 1, so that the job of a killed worker runs again after 30 to 60 s
 * - jobs: `attempts: 3`
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../local/network/ports.ts';
import { createClient } from './http.ts';
import { outcomeOf, submitJob } from './jobs-api.ts';
import { CONCURRENCY, EXECUTIONS, type Peer, type Running } from './peer.ts';
import { findProgram, packageVersion, programNamed, programsWithPackages, versionOf } from './programs.ts';
import { supervise } from './supervised.ts';

const SERVERS = ['redis-server', 'valkey-server'] as const;

async function start(folder: string): Promise<Running> {
  const programs = await programsWithPackages();
  const [redisPort, port] = [await freePort(), await freePort()];
  const data = join(folder, 'redis');
  mkdirSync(data, { recursive: true });
  const options = {
    ...{ port: redisPort, bind: '127.0.0.1', dir: data, appendonly: 'yes', appendfsync: 'always', save: '' },
    ...{ 'maxmemory-policy': 'noeviction', daemonize: 'no' },
  };
  const environment = {
    REDIS_PORT: String(redisPort),
    PORT: String(port),
    CONCURRENCY: String(CONCURRENCY),
    EXECUTIONS: join(folder, EXECUTIONS),
  };
  const redis = await supervise({
    command: programNamed(...SERVERS),
    args: Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]),
    port: redisPort,
    log: join(folder, 'redis.log'),
  });
  const program = (name: string) => ({
    command: process.execPath,
    args: [join(programs, `bullmq-${name}.mjs`)],
    environment,
    log: join(folder, `${name}.log`),
  });
  const api = await supervise({ ...program('api'), port });
  const worker = await supervise(program('worker'));
  const client = createClient(`http://127.0.0.1:${port}`);
  return {
    pids: () => [redis, api, worker].map(({ pid }) => pid()),
    submit: (ms) => submitJob(client, ms),
    outcome: (id) => outcomeOf(client, id),
    parts: { API: api.kill, worker: worker.kill, Redis: redis.kill },
    async stop() {
      client.close();
      for (const one of [worker, api, redis]) await one.stop();
    },
  };
}

export const bullmq: Peer = {
  name: 'bullmq',
  title: 'Fastify, BullMQ and Redis',
  get settings() {
    const server = programNamed(...SERVERS);
    return [
      `${packageVersion('fastify')}, ${packageVersion('bullmq')}, Redis ${versionOf(server)}`,
      '`appendonly yes`, `appendfsync always`, `maxmemory-policy noeviction`',
      '`attempts: 3`; the default locks of 30 s, checked every 30 s',
    ];
  },
  missing: () =>
    findProgram(...SERVERS) ? undefined : 'redis-server is missing. On Debian: apt-get install --yes redis-server',
  start,
};
