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
import { freePort } from '../../../emulator/network/ports.ts';
import { startFastifyPeer } from './fastify-peer.ts';
import type { Peer, Running } from './peer.ts';
import { findProgram, packageVersion, programNamed, versionOf } from './programs.ts';
import { supervise } from './supervised.ts';

const SERVERS = ['redis-server', 'valkey-server'] as const;

async function start(folder: string): Promise<Running> {
  const [redisPort, port] = [await freePort(), await freePort()];
  const data = join(folder, 'redis');
  mkdirSync(data, { recursive: true });
  const options = {
    port: redisPort,
    bind: '127.0.0.1',
    dir: data,
    appendonly: 'yes',
    appendfsync: 'always',
    save: '',
    'maxmemory-policy': 'noeviction',
    daemonize: 'no',
  };
  const redis = await supervise({
    command: programNamed(...SERVERS),
    args: Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]),
    port: redisPort,
    log: join(folder, 'redis.log'),
  });
  return startFastifyPeer({
    folder,
    name: 'bullmq',
    port,
    storeEnvironment: { REDIS_PORT: String(redisPort) },
    storeTitle: 'Redis',
    store: redis,
  });
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
