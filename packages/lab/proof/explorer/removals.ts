/**
 * Removes one precaution at a time. The walk must then break an invariant, which shows that the precaution is
 * necessary.
 */
import type { Table } from '../../../../core/jobs/machine.ts';
import { type Transition, type TransitionName, transitions } from '../../../../core/jobs/transitions.ts';
import { type Bounds, type Protocol, type Setting, type Surroundings, setting } from './setting.ts';

export interface Removal {
  /** Name of the missing precaution. */
  readonly name: string;
  /** The invariant that breaks without the precaution. */
  readonly breaks: string;
  /** Whether the walk needs hundreds of thousands of states to break the invariant. */
  readonly isFar?: boolean | undefined;
  readonly setting: Setting;
}

const guardless = (names: readonly TransitionName[], term: string): Table => {
  const keeps: Transition['when'][number] extends infer Guard ? (guard: Guard) => boolean : never = (guard) =>
    !(guard as readonly unknown[]).includes(term);
  const changed = names.map((name) => {
    const row: Transition = transitions[name];
    return [name, { ...row, when: row.when.filter(keeps) }] as const;
  });
  return { ...transitions, ...Object.fromEntries(changed) };
};

const { generation: _, ...setByRequeue } = { generation: undefined, ...(transitions.requeue as Transition).set };
const requeueKeepsGeneration: Table = { ...transitions, requeue: { ...transitions.requeue, set: setByRequeue } };
const takeFromAny: Table = {
  ...transitions,
  take: { ...transitions.take, from: ['IN_QUEUE', 'IN_PROGRESS', 'FAILED'] },
};

interface Changes {
  readonly isFar?: boolean;
  readonly table?: Table;
  readonly protocol?: Partial<Protocol>;
  readonly surroundings?: Partial<Surroundings>;
  readonly bounds?: Partial<Bounds>;
}

/** Bounds in which clients only submit and read. */
const quiet: Partial<Bounds> = { faults: 0, retries: 0, cancels: 0, purges: 0, requeues: 0 };

const removal = (name: string, breaks: string, { bounds, isFar, ...changes }: Changes): Removal => ({
  name,
  breaks,
  isFar,
  setting: setting({ ...changes, bounds: { ...quiet, ...bounds } }),
});

/** Precautions of the product. */
export const removals: readonly Removal[] = [
  removal('no fence of attempts', 'I6', {
    table: guardless(['progress', 'complete', 'fail'], '$attempt'),
    bounds: { workers: 1, faults: 2, requeues: 1 },
  }),
  removal('no status check on take', 'I3', { table: takeFromAny, bounds: { faults: 1 } }),
  // Either check is sufficient for a purge. The second one is for takes that are executed late.
  removal('no generation check on take or after it', 'I12', {
    table: guardless(['take'], '$generation'),
    protocol: { rechecksGeneration: false },
    bounds: { purges: 1 },
  }),
  removal('the message is dropped before a lease names the job', 'ADR 0002', { protocol: { namesBeforeDrop: false } }),
  removal('a job is acknowledged before its message is sent', 'ADR 0002', { protocol: { sendsBeforeAck: false } }),
  removal('the sweeper requeues before it sends the message', 'ADR 0002', {
    protocol: { messagesBeforeRequeue: false },
    bounds: { faults: 1 },
  }),
  removal('a retry does not check the expiry', 'I13', {
    table: guardless(['retry'], 'expiresAt'),
    protocol: { checksExpiry: false },
    bounds: { retries: 1 },
  }),
  removal('the sweeper does not check the lease', 'I10', {
    table: guardless(['requeue', 'lose'], '$leaseEnds'),
    protocol: { checksLease: false },
  }),
  removal('a purge does not wait for permits', 'I12', {
    protocol: { waitsForPermits: false },
    bounds: { purges: 1 },
  }),
  removal('a purge counts the jobs before it waits for permits', 'I12', {
    protocol: { countsAfterWait: false },
    bounds: { purges: 1 },
  }),
  removal('the output is stored after the status', 'I7', { protocol: { storesOutputFirst: false } }),
  removal('jobs are read with eventual consistency', 'I4', { protocol: { readsStrongly: false } }),
  removal('a reader does not store the end that it reads', 'I4', {
    protocol: { finalizesOnRead: false },
    bounds: { faults: 1 },
  }),
  removal('a requeue keeps the generation', 'I12', {
    table: requeueKeepsGeneration,
    bounds: { purges: 1, requeues: 1 },
  }),
  removal('a retry sends no message before its write', 'ADR 0002', {
    protocol: { insuresRetry: false },
    bounds: { retries: 1 },
  }),
  removal('a take does not read the generation again', 'I12', {
    protocol: { rechecksGeneration: false },
    surroundings: { acrossPurge: 'takes' },
    bounds: { purges: 1, faults: 1 },
  }),
  removal('a message is dropped before the end of its job is stored', 'ADR 0002', {
    protocol: { finalizesBeforeDrop: false },
    bounds: { faults: 1 },
  }),
  removal('a worker treats its message as stale after a refused rescue', 'ADR 0002', {
    protocol: { looksAgain: false, rescuesWithMessage: false },
    bounds: { faults: 2, requeues: 1 },
  }),
  removal('a rescue relies on a message that another worker has received', 'ADR 0002', {
    protocol: { rescuesWithMessage: false },
    bounds: { faults: 3 },
    isFar: true,
  }),
  removal('the sweeper requeues a job that started after the lease had ended', 'I10', {
    protocol: { checksStart: false },
    bounds: { workers: 1, faults: 1, requeues: 1 },
  }),
  removal('a result may be kept for longer', 'ttl', {
    table: guardless(['expireSooner'], 'expiresAt'),
    bounds: { workers: 1, shortenings: 1 },
  }),
  removal('a retention may grow', 'ttl', {
    table: guardless(['limitRetention'], 'retention'),
    bounds: { workers: 1, shortenings: 1, resultTtl: 4 },
  }),
  removal('an earlier expiry applies to the end of a retry', 'ttl', {
    table: guardless(['expireSooner'], '$finishedAt'),
    bounds: { workers: 1, shortenings: 1, retries: 1, cancels: 1, faults: 1 },
  }),
  removal('a limited retention applies to a retry', 'ttl', {
    table: guardless(['limitRetention'], '$queuedAt'),
    bounds: { workers: 1, shortenings: 1, retries: 1, faults: 1 },
  }),
];

/** Behaviour of AWS that the product does not tolerate, and the invariant that it would break. */
export const limits: readonly Removal[] = [
  removal('a take is executed after the purge has answered, and its worker is lost', 'I12', {
    surroundings: { acrossPurge: 'takes' },
    bounds: { purges: 1, faults: 2 },
    isFar: true,
  }),
  removal('a requeue is executed after the purge has answered', 'I12', {
    surroundings: { acrossPurge: 'all' },
    bounds: { purges: 1, faults: 1, requeues: 1 },
  }),
  removal('the delayed message of a retry is visible before the write', 'ADR 0002', {
    surroundings: { earlyInsurance: true },
    bounds: { workers: 1, retries: 1, faults: 1 },
  }),
  removal('an old receipt deletes a message that another worker has received', 'ADR 0002', {
    surroundings: { oldReceiptsDelete: true },
    bounds: { faults: 2 },
    isFar: true,
  }),
];
