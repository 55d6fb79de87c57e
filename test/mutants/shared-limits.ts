/** Mutants of the state that tasks of the ingress share: polls of jobs, slots, and buckets of direct requests. */
import { type Mutant, mutant } from './mutant.ts';

const WATCH = 'test/waiting-calls/watch.test.ts';
const HOLDERS = 'test/waiting-calls/slot-holders.test.ts';
const DIRECT = 'test/rates/direct-limit.test.ts';
const LEASES = 'aws/waiting-calls/leases.ts';
const HOLDER = 'aws/waiting-calls/slot-holders.ts';

export const sharedLimitMutants: readonly Mutant[] = [
  mutant('a slow poll is followed by a short pause')
    .replace('core/limits.ts', 'perRead: 2', 'perRead: 0')
    .killedBy(WATCH, 'pauses for longer'),
  mutant('a call polls frequently during its whole wait')
    .replace('core/limits.ts', 'fastFor: 5 * SECOND', 'fastFor: MINUTE')
    .killedBy(WATCH, 'reads the job every 50 ms'),
  mutant('each call polls for itself')
    .replace('core/waiting-calls/shared-reads.ts', 'batch.get(name) ??', '(batch.size < 0 && batch.get(name)) ||')
    .killedBy(WATCH, 'shares its reads'),
  mutant('later calls for the same job poll at different ticks')
    .replace(
      'core/waiting-calls/poll-schedule.ts',
      'this.#ownTick = tickOf(key);',
      'this.#ownTick = Math.floor(start / pollLimits.tick) % TICKS_PER_SECOND;',
    )
    .killedBy(WATCH, 'shares its reads'),
  mutant('all jobs are polled at the same tick')
    .replace('core/waiting-calls/poll-schedule.ts', 'return hash % TICKS_PER_SECOND;', 'return hash % 1;')
    .killedBy(WATCH, 'reads jobs in batches'),
  mutant('each job is read separately')
    .replace('core/limits.ts', 'batch: 100', 'batch: 1')
    .killedBy(WATCH, 'reads jobs in batches'),
  mutant('keys that DynamoDB omits from a batch count as missing jobs')
    .replace('aws/jobs/jobs.ts', "leftOut.has(name) ? 'not read' : undefined", 'undefined')
    .killedBy(WATCH, 'returns the other jobs'),
  mutant('a failed batch ends all its calls')
    .replace('core/waiting-calls/shared-reads.ts', 'result.resolve({ failure });', 'result.reject(failure);')
    .killedBy(WATCH, 'continue to wait if a read fails'),
  mutant('a call fails if one batch omits its job')
    .replace('core/limits.ts', 'failAfter: 10 * SECOND', 'failAfter: 0')
    .killedBy(WATCH, 'current job at the end of its wait'),
  mutant('a call waits for ever for an unreadable job')
    .replace('core/limits.ts', 'failAfter: 10 * SECOND', 'failAfter: 9 * MINUTE')
    .killedBy(WATCH, 'fails a call after 10 seconds'),
  mutant('calls of a task that begin together share a lease')
    .replace(LEASES, 'await holder.tag(), now, number)', 'await holder.tag(), now, created)')
    .killedBy('test/limits/limits.test.ts', 'admits the requests of /runsync'),
  mutant('a task that died keeps its slots until their leases end')
    .replace(HOLDER, 'until <= now)', 'until <= now - WAIT_LEASE)')
    .killedBy(HOLDERS, 'within 30 seconds'),
  mutant('a task does not renew its tag')
    .replace(HOLDER, 'if (!isRunning) return;\n      pause = await', 'if (isRunning) return;\n      pause = await')
    .killedBy(HOLDERS, 'are kept'),
  mutant('the slots of a running task never end')
    .replace(LEASES, 'return minutesSince < END_MODULUS / 2;', 'return minutesSince === END_MODULUS;')
    .killedBy(HOLDERS, 'are kept'),
  mutant('a stopped task keeps its unreleased slots')
    .replace(HOLDER, 'write(held.tag, clock.now(), ', 'write(held.tag, held.until, ')
    .killedBy(HOLDERS, 'immediately after the task has stopped'),
  mutant('a task that was considered dead keeps its tag')
    .replace(HOLDER, "compare('until', '>', now + SKEW)", "compare('until', '<>', now + SKEW)")
    .killedBy(HOLDERS, 'loses its slots'),
  mutant('items of dead holders are not removed')
    .replace(HOLDER, 'if (until > before) continue;', 'if (until > 0) continue;')
    .killedBy(HOLDERS, 'holders that died minutes ago'),
  mutant('items of dead holders are removed while they have leases')
    .replace(HOLDER, 'if (until > before) continue;', 'if (until > clock.now()) continue;')
    .killedBy(HOLDERS, 'holders that died minutes ago'),
  mutant("the bucket of direct requests holds only the contract's number of tokens")
    .replace('aws/rates/direct-limits.ts', 'bucket.per10Seconds + directBlocks.tasks * size', 'bucket.per10Seconds')
    .killedBy(DIRECT, 'refuses no request of a burst at one task, although nine'),
  mutant('tokens that lapse are lost')
    .replace('aws/rates/direct-limits.ts', '(size - block.tokens) * perToken', 'size * perToken')
    .killedBy(DIRECT, 'refuses no request of a burst at one task, although nine'),
  mutant('each task has its own buckets of direct requests')
    .replace(
      'aws/rates/direct-limits.ts',
      'endpoint: `direct#${bucket}#${operation}`',
      'endpoint: `direct#${bucket}#${operation}#${process.hrtime.bigint()}`',
    )
    .killedBy(DIRECT, 'about twice the number'),
  mutant('all endpoints share a bucket of direct requests')
    .replace(
      'aws/rates/direct-limits.ts',
      'const name = `${bucket.bucket}#${bucket.operation}`;',
      'const name = bucket.operation;',
    )
    .killedBy(DIRECT, 'a bucket for each endpoint'),
];
