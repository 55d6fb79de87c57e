/** The writes that AWS has executed, in their order. All answers are compared with the log. */
import { jobFrom } from '../../../../aws/jobs/job-item.ts';
import type { Job } from '../../../../core/jobs/job.ts';
import { type Lease, leaseSchema } from '../../../../core/workers/lease.ts';
import type { Context } from '../calls/context.ts';
import type { Executed } from '../calls/middleware.ts';

/** A version of a job, which was stored at `index`. */
export interface Version {
  readonly index: number;
  /** Time of the write, in milliseconds. */
  readonly at: number;
  /** The operation that wrote the version. */
  readonly by: Context;
  readonly job: Job;
}

export interface Purge {
  readonly index: number;
  readonly by: Context;
}

export interface LeaseVersion {
  readonly index: number;
  readonly lease: Lease | undefined;
}

export interface Log {
  record(executed: Executed, now: number): void;
  /** Number of entries. Later entries have a higher index. */
  readonly length: number;
  /** Number of writes to the jobs table, which its stream contains. */
  readonly jobWrites: number;
  /** Operation and port method of each write, in order. */
  readonly order: readonly string[];
  versionsOf(id: string): readonly Version[];
  leasesOf(worker: string): readonly LeaseVersion[];
  /** All increases of the generation. */
  readonly purges: readonly Purge[];
  /** Returns whether the payload was stored before this index. */
  wasStored(id: string, name: string, before: number): boolean;
}

type Item = Record<string, unknown>;

/** Returns the attributes that the expressions of a command name. */
const namesIn = (input: Item) => Object.values(input.ExpressionAttributeNames ?? {});

export function createLog(): Log {
  let length = 0;
  let jobWrites = 0;
  const jobs = new Map<string, Version[]>();
  const leases = new Map<string, LeaseVersion[]>();
  const purges: Purge[] = [];
  const order: string[] = [];
  const stored = new Map<string, number>();

  const append = <Value>(map: Map<string, Value[]>, key: string, value: Value) => {
    map.set(key, [...(map.get(key) ?? []), value]);
  };

  function recordItem({ context, input, output }: Executed, index: number, at: number): void {
    const item = (input.Item ?? output.Attributes) as Item | undefined;
    const key = input.Key as Item | undefined;
    switch (input.TableName) {
      case 'JOBS_TABLE':
        if (item) append(jobs, String(item.id), { index, at, by: context, job: jobFrom(item) });
        return;
      case 'WORKERS_TABLE': {
        const worker = String(item?.worker ?? key?.worker);
        append(leases, worker, { index, lease: item && leaseSchema.parse(item) });
        return;
      }
      case 'PAYLOADS_TABLE':
        if (item && !stored.has(String(item.item))) stored.set(String(item.item), index);
        return;
      case 'ENDPOINTS_TABLE':
        if (namesIn(input).includes('generation')) purges.push({ index, by: context });
    }
  }

  return {
    get length() {
      return length;
    },
    get jobWrites() {
      return jobWrites;
    },
    purges,
    order,
    versionsOf: (id) => jobs.get(id) ?? [],
    leasesOf: (worker) => leases.get(worker) ?? [],
    wasStored: (id, name, before) => (stored.get(`${id}#${name}`) ?? Number.POSITIVE_INFINITY) < before,

    record(executed, now) {
      const { command, input } = executed;
      const isWrite = ['PutItemCommand', 'UpdateItemCommand', 'DeleteItemCommand'].includes(command);
      if (!isWrite && command !== 'PutObjectCommand') return;
      length += 1;
      order.push(`${executed.context.number} ${executed.context.operation} ${executed.context.verb}`);
      if (input.TableName === 'JOBS_TABLE') jobWrites += 1;
      if (isWrite) return recordItem(executed, length, now);
      const [, , id, name] = String(input.Key).split('/');
      if (!stored.has(`${id}#${name}`)) stored.set(`${id}#${name}`, length);
    },
  };
}
