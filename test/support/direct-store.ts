/** Writes jobs into the database file of the emulator: a million jobs in a minute, and over its interface in hours. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { partitionOf } from '../../core/jobs/id.ts';
import type { Job } from '../../core/jobs/job.ts';
import { DATABASE } from '../../packages/emulator/emulators/dynoxide.ts';
import type { StoreJobs } from './long-queue.ts';

/** Time limit for a lock of the database, in milliseconds. */
const BUSY = 30_000;

type Item = Readonly<Record<string, object>>;

/** Returns the item of a job that differs from a stored job only in its id and its times, which have equal lengths. */
function itemOf(stored: Item, { id, acceptedAt, queuedAt, queueDeadline }: Job): string {
  const time = (value: number) => ({ N: String(value) });
  const times = { acceptedAt: time(acceptedAt), queuedAt: time(queuedAt), queueDeadline: time(queueDeadline) };
  return JSON.stringify({ ...stored, id: { S: id }, ...times });
}

export interface DirectStore {
  /** Stores copies of jobs. The service must have stored at least one job in the partition of each. */
  readonly store: StoreJobs;
  close(): void;
}

/** @param folder state directory of the emulators */
export function openDirectStore(folder: string): DirectStore {
  const database = new DatabaseSync(join(folder, DATABASE), { timeout: BUSY });
  const find = () => database.prepare('SELECT item_json, item_size, hash_prefix FROM JOBS_TABLE WHERE pk = ? LIMIT 1');
  const insert = () =>
    database.prepare('INSERT INTO JOBS_TABLE (pk, sk, item_json, item_size, hash_prefix) VALUES (?, ?, ?, ?, ?)');
  return {
    async store(jobs) {
      const add = insert();
      database.exec('BEGIN IMMEDIATE');
      for (const [partition, together] of Map.groupBy(jobs, partitionOf)) {
        const row = find().get(`S:${partition}`);
        if (!row) throw new Error(`The service has stored no job in the partition ${partition}.`);
        const stored = JSON.parse(String(row.item_json)) as Item;
        for (const job of together)
          add.run(`S:${partition}`, `S:${job.id}`, itemOf(stored, job), Number(row.item_size), String(row.hash_prefix));
      }
      database.exec('COMMIT');
    },
    close: () => database.close(),
  };
}
