/** Breaks of the state that tasks of the ingress share: polls of jobs, slots, buckets of the direct way. */
import { type Mutant, mutant } from './mutant.ts';

const WATCH = 'test/waits/watch.test.ts';
const HOLDERS = 'test/waits/slot-holders.test.ts';
const DIRECT = 'test/rates/direct-limit.test.ts';
const STORE = 'aws/waits/slots.ts';
const HOLDER = 'aws/waits/slot-holders.ts';

export const sharedLimitMutants: readonly Mutant[] = [
  mutant('a slow poll is followed by a short pause')
    .replace('core/limits.ts', 'perLook: 2', 'perLook: 0')
    .killedBy(WATCH, 'pauses for longer'),
  mutant('a call polls often for as long as it waits')
    .replace('core/limits.ts', 'often: 5 * SECOND', 'often: MINUTE')
    .killedBy(WATCH, 'reads the job every 50 ms'),
  mutant('each call polls for itself')
    .replace('core/waits/wait.ts', 'looks.get(name) ??', '(looks.size < 0 && looks.get(name)) ||')
    .killedBy(WATCH, 'shares its reads'),
  mutant('late calls for a job poll at their own ticks')
    .replace(
      'core/waits/wait.ts',
      '[clock.now(), tickOf(key)]',
      '[clock.now(), Math.floor(clock.now() / lookLimits.tick) % TICKS]',
    )
    .killedBy(WATCH, 'shares its reads'),
  mutant('all jobs are polled at the same tick')
    .replace('core/waits/wait.ts', 'return sum % TICKS;', 'return sum % 1;')
    .killedBy(WATCH, 'reads jobs in batches'),
  mutant('each job is read by itself')
    .replace('core/limits.ts', 'batch: 100', 'batch: 1')
    .killedBy(WATCH, 'reads jobs in batches'),
  mutant('keys that DynamoDB leaves out of a batch are no jobs')
    .replace('aws/jobs/jobs.ts', "leftOut.has(name) ? 'not read' : undefined", 'undefined')
    .killedBy(WATCH, 'returns the other jobs'),
  mutant('a batch that fails ends all calls of the batch')
    .replace('core/waits/wait.ts', 'seen.resolve({ failure });', 'seen.reject(failure);')
    .killedBy(WATCH, 'continue to wait if a read fails'),
  mutant('a call fails when one batch does not return its job')
    .replace('core/limits.ts', 'failing: 10 * SECOND', 'failing: 0')
    .killedBy(WATCH, 'current job at the end of its wait'),
  mutant('a call continues to wait for a job that it cannot read')
    .replace('core/limits.ts', 'failing: 10 * SECOND', 'failing: 9 * MINUTE')
    .killedBy(WATCH, 'fails a call after 10 seconds'),
  mutant('calls of a task that begin together share a lease')
    .replace(STORE, 'await holder.tag(), now, number)', 'await holder.tag(), now, leases)')
    .killedBy('test/limits/limits.test.ts', 'allows of /runsync, and'),
  mutant('a task that died keeps its slots until their leases end')
    .replace(HOLDER, 'until <= now)', 'until <= now - WAIT_LEASE)')
    .killedBy(HOLDERS, 'within 30 seconds'),
  mutant('a task does not renew its life sign')
    .replace(HOLDER, 'if (!isRunning) return;\n      pause = await', 'if (isRunning) return;\n      pause = await')
    .killedBy(HOLDERS, 'are kept'),
  mutant('the slots of a living task never end')
    .replace(STORE, ' || (minutesOver + ENDS) % ENDS < ENDS / 2', ' || minutesOver === ENDS')
    .killedBy(HOLDERS, 'are kept'),
  mutant('a task that stops keeps the slots that it has not released')
    .replace(HOLDER, 'write(held.tag, clock.now(), ', 'write(held.tag, held.until, ')
    .killedBy(HOLDERS, 'immediately after the task has stopped'),
  mutant('a task that counted as dead keeps its tag')
    .replace(HOLDER, "'#token = :token AND #until > :now'", "'#token = :token AND NOT #until = :now'")
    .killedBy(HOLDERS, 'loses its slots'),
  mutant('items of dead holders stay')
    .replace(HOLDER, 'if (until > before) continue;', 'if (until > 0) continue;')
    .killedBy(HOLDERS, 'holders that died minutes ago'),
  mutant('items of dead holders are removed while they have leases')
    .replace(HOLDER, 'if (until > before) continue;', 'if (until > clock.now()) continue;')
    .killedBy(HOLDERS, 'holders that died minutes ago'),
  mutant('the bucket of the direct way holds no more than the number of the contract')
    .replace('aws/rates/direct-limits.ts', 'bucket.per10Seconds + directBlocks.tasks * size', 'bucket.per10Seconds')
    .killedBy(DIRECT, 'refuses no request of a burst at one task, although nine'),
  mutant('tokens that lapse are lost')
    .replace('aws/rates/direct-limits.ts', '(size - block.tokens) * perToken', 'size * perToken')
    .killedBy(DIRECT, 'refuses no request of a burst at one task, although nine'),
  mutant('each task has buckets of the direct way of its own')
    .replace(
      'aws/rates/direct-limits.ts',
      'endpoint: `direct#${bucket}#${operation}`',
      'endpoint: `direct#${bucket}#${operation}#${process.hrtime.bigint()}`',
    )
    .killedBy(DIRECT, 'about twice the number'),
  mutant('all endpoints share a bucket of the direct way')
    .replace(
      'aws/rates/direct-limits.ts',
      'const name = `${bucket.bucket}#${bucket.operation}`;',
      'const name = bucket.operation;',
    )
    .killedBy(DIRECT, 'a bucket for each endpoint'),
];
