/**
 * Fastify, graphile-worker and PostgreSQL. Settings:
 *
 * - PostgreSQL: the defaults `fsync on`, `synchronous_commit on`, `full_page_writes on`
 * - jobs: added in the transaction of the row with the status; the default of 25 attempts
 * - worker: the defaults. A job whose worker is killed stays locked for 4 hours. `forceUnlockWorkers` unlocks it, for
 *   an operator who knows that the worker has ended. The benchmark does not call it, because its restart is that of a
 *   process manager, which does not call it either.
 */
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../emulator/network/ports.ts';
import { startFastifyPeer } from './fastify-peer.ts';
import type { Peer, Running } from './peer.ts';
import { findProgram, packageVersion, programNamed, versionOf } from './programs.ts';
import { supervise } from './supervised.ts';

const SUPERUSER = 'peers';

/** Returns the user for PostgreSQL, which refuses to run as root; undefined if this process does not run as root. */
function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  const line = users.find((one) => one.startsWith('postgres:')) ?? users.find((one) => one.startsWith('nobody:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined || gid === undefined) throw new Error('PostgreSQL needs a user postgres or nobody.');
  return { uid: Number(uid), gid: Number(gid) };
}

/** Returns the folder of the database, which another user can reach, unlike the folder of the peer. */
function createDatabase(folder: string, user: ReturnType<typeof serverUser>): string {
  const link = join(folder, 'database');
  if (existsSync(link)) return readFileSync(link, 'utf8');
  const data = mkdtempSync(join(tmpdir(), 'gpu-endpoints-peers-postgres-'));
  if (user) chownSync(data, user.uid, user.gid);
  const args = ['--pgdata', data, '--username', SUPERUSER, '--auth', 'trust', '--encoding', 'UTF8'];
  execFileSync(programNamed('initdb'), args, { ...user, cwd: data, stdio: 'ignore' });
  writeFileSync(link, data);
  process.once('exit', () => rmSync(data, { recursive: true, force: true }));
  return data;
}

async function start(folder: string): Promise<Running> {
  const [databasePort, port] = [await freePort(), await freePort()];
  const user = serverUser();
  const data = createDatabase(folder, user);
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories='];
  const postgres = await supervise({
    command: programNamed('postgres'),
    args: ['-D', data, '-p', String(databasePort), ...settings.flatMap((setting) => ['-c', setting])],
    folder: data,
    port: databasePort,
    log: join(folder, 'postgres.log'),
    stopSignal: 'SIGINT',
    user,
  });
  return startFastifyPeer({
    folder,
    name: 'graphile',
    port,
    storeEnvironment: { DATABASE_URL: `postgres://${SUPERUSER}@127.0.0.1:${databasePort}/postgres` },
    storeTitle: 'PostgreSQL',
    store: postgres,
  });
}

export const graphileWorker: Peer = {
  name: 'graphile-worker',
  title: 'Fastify, graphile-worker and PostgreSQL',
  get settings() {
    const server = programNamed('postgres');
    return [
      `${packageVersion('fastify')}, ${packageVersion('graphile-worker')}, PostgreSQL ${versionOf(server)}`,
      '`fsync on`, `synchronous_commit on`, the job and its status in one transaction',
      'the default of 25 attempts; the job of a killed worker stays locked for 4 hours',
    ];
  },
  missing: () =>
    findProgram('postgres') && findProgram('initdb')
      ? undefined
      : 'postgres is missing. On Debian: apt-get install --yes postgresql',
  start,
};
