/**
 * SQS and S3 on this machine: fauxqs, embedded because its own server listens on every interface. Patches correct
 * behavior that the service relies on. The comment of each patch describes the behavior without it. The patches fit
 * the pinned version only.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import type { DatabaseSync } from 'node:sqlite';
import { type BuildAppOptions, buildApp } from 'fauxqs';
import { freePort, randomLoopback } from '../network/ports.ts';

type Stores = NonNullable<BuildAppOptions['stores']>;
type Persistence = NonNullable<Stores['sqsStore']['persistence']>;
type Queue = ReturnType<Stores['sqsStore']['allQueues']> extends Iterable<infer Item> ? Item : never;

/** Internals that the package does not export. */
interface Internals {
  readonly SqsStore: new () => Stores['sqsStore'];
  readonly SqsQueue: { readonly prototype: Queue };
  readonly SnsStore: new () => Stores['snsStore'];
  readonly S3Store: new () => Stores['s3Store'];
  readonly PersistenceManager: new (folder: string) => Persistence;
}

const INTERNAL_MODULES = ['./sqs/sqsStore.js', './sns/snsStore.js', './s3/s3Store.js', './persistence.js'];
const TIMER_PERIOD = 200;
/** Maximum size of a request body, in bytes. The default of fauxqs is below the 20 MB that an object can have. */
const BODY_LIMIT = 64 * 1024 * 1024;

async function internals(): Promise<Internals> {
  const base = import.meta.resolve('fauxqs');
  const modules = await Promise.all(INTERNAL_MODULES.map((name) => import(new URL(name, base).href)));
  return Object.assign({}, ...modules) as Internals;
}

/**
 * Removes closed polls. Otherwise, a long poll of a closed connection receives the next message and hides it for
 * the visibility timeout.
 */
function skipClosedPolls(queue: Queue): (response: ServerResponse, next: () => void) => void {
  const caller = new AsyncLocalStorage<ServerResponse>();
  const dequeue = queue.dequeue;
  queue.dequeue = function (this: Queue, ...args) {
    const response = caller.getStore();
    return response && (response.destroyed || response.closed || response.socket?.destroyed)
      ? []
      : dequeue.apply(this, args);
  };
  return (response, next) => caller.run(response, next);
}

const databaseOf = (persistence: Persistence) => (persistence as unknown as { readonly db: DatabaseSync }).db;

/**
 * Stores receives and deletions of messages without waiting for the disk. They survive the end of the process. After a
 * power failure, a message can be received again, which SQS allows too; sent messages are on the disk before their
 * response. Otherwise, each message needs three waits instead of one, which block all queues.
 */
function waitLessForDisk(persistence: Persistence): void {
  const database = databaseOf(persistence);
  const withoutWaiting =
    <Arguments extends unknown[]>(write: (...args: Arguments) => void) =>
    (...args: Arguments) => {
      database.exec('PRAGMA synchronous = NORMAL');
      try {
        write.apply(persistence, args);
      } finally {
        database.exec('PRAGMA synchronous = FULL');
      }
    };
  persistence.updateMessageInflight = withoutWaiting(persistence.updateMessageInflight);
  persistence.deleteMessage = withoutWaiting(persistence.deleteMessage);
}

/** Fixes a visibility timeout of 0. Otherwise, the message violates a constraint of the database and is lost. */
function keepReceiveCount(persistence: Persistence): void {
  const ready = databaseOf(persistence).prepare(
    'UPDATE sqs_messages SET receipt_handle = NULL, visibility_deadline = NULL WHERE message_id = ?',
  );
  persistence.updateMessageReady = (messageId) => {
    ready.run(messageId);
  };
}

export interface QueueEmulator {
  readonly url: string;
  close(): void;
}

/** Starts the emulator. It checks no signature, so it listens on an address that only the caller knows. */
export async function startFauxqs(folder: string): Promise<QueueEmulator> {
  const { SqsStore, SqsQueue, SnsStore, S3Store, PersistenceManager } = await internals();
  const stores: Stores = { sqsStore: new SqsStore(), snsStore: new SnsStore(), s3Store: new S3Store() };

  // Messages are loaded before write-through begins; otherwise every loaded message would be written again.
  const persistence = new PersistenceManager(folder);
  keepReceiveCount(persistence);
  waitLessForDisk(persistence);
  persistence.load(stores.sqsStore, stores.snsStore, stores.s3Store);
  for (const store of Object.values(stores)) store.persistence = persistence;
  for (const queue of stores.sqsStore.allQueues()) queue.persistence = persistence;

  const host = randomLoopback();
  const app = buildApp({ logger: false, host, stores });
  const asCaller = skipClosedPolls(SqsQueue.prototype);
  app.addHook('onRequest', (_request, reply, done) => asCaller(reply.raw, done));
  app.removeContentTypeParser('*');
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) => {
    done(null, body);
  });

  // Without the timer, delayed and hidden messages become visible only when a consumer polls.
  const timers = setInterval(() => stores.sqsStore.processAllTimers(), TIMER_PERIOD);

  const port = await freePort(undefined, host);
  await app.listen({ port, host });
  return {
    url: `http://${host}:${port}`,
    close() {
      clearInterval(timers);
      app.server.close();
      app.server.closeAllConnections();
      persistence.close();
    },
  };
}
