/** Generators of the random sequences. */
import * as fc from 'fast-check';
import { LEASE, SECOND } from '../../../../core/limits.ts';
import { type Fault, faultKinds } from '../calls/faults.ts';
import type { Operation, Policy, Step } from './operations.ts';

const job = fc.nat({ max: 3 });
const worker = fc.nat({ max: 1 });
const size = fc.constantFrom('small', 'small', 'small', 'medium', 'large');

const policy: fc.Arbitrary<Policy> = fc.record(
  {
    ttl: fc.constantFrom(10_000, 60_000),
    executionTimeout: fc.constantFrom(5_001, 40_000),
    lowPriority: fc.constant(true),
  },
  { requiredKeys: [] },
);

const does = <Name extends string, Rest extends object>(
  name: Name,
  rest: { [key in keyof Rest]: fc.Arbitrary<Rest[key]> },
) => fc.record({ does: fc.constant(name), ...rest }) as unknown as fc.Arbitrary<{ readonly does: Name } & Rest>;

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 10, arbitrary: does('run', { size, kind: fc.constantFrom('run', 'run', 'run', 'runsync'), policy }) },
  { weight: 8, arbitrary: does('status', { job }) },
  { weight: 2, arbitrary: does('wait', { job }) },
  { weight: 3, arbitrary: does('shorten', { job, ttl: fc.constantFrom(SECOND, 45 * SECOND, 1_800_001) }) },
  { weight: 4, arbitrary: does('cancel', { job }) },
  { weight: 5, arbitrary: does('retry', { job }) },
  { weight: 1, arbitrary: does('foreign', { job }) },
  { weight: 2, arbitrary: does('purge', {}) },
  { weight: 1, arbitrary: does('health', {}) },
  { weight: 14, arbitrary: does('take', { worker }) },
  { weight: 4, arbitrary: does('beat', { worker }) },
  { weight: 3, arbitrary: does('watch', { worker }) },
  { weight: 2, arbitrary: does('requeue', { worker }) },
  { weight: 3, arbitrary: does('progress', { worker, size }) },
  { weight: 9, arbitrary: does('report', { worker, size, fails: fc.boolean() }) },
  { weight: 3, arbitrary: does('sweep', {}) },
  { weight: 3, arbitrary: does('record', { max: fc.integer({ min: 1, max: 6 }), again: fc.nat({ max: 4 }) }) },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 24,
    arbitrary: does('together', { operations: fc.array(operation, { minLength: 1, maxLength: 3, size: 'medium' }) }),
  },
  {
    weight: 4,
    arbitrary: does('advance', { milliseconds: fc.constantFrom(1, SECOND, 15 * SECOND, LEASE, LEASE + 1) }),
  },
  {
    weight: 4,
    arbitrary: does('reach', {
      moment: fc.record({
        job,
        of: fc.constantFrom('queueDeadline', 'executionDeadline', 'expiresAt'),
        by: fc.constantFrom(-1, 0, 1),
      }),
    }),
  },
  { weight: 2, arbitrary: does('redeliver', { job }) },
  { weight: 2, arbitrary: does('kill', { worker }) },
  { weight: 2, arbitrary: does('release', {}) },
);

const alone = (operation: Operation): Step => ({ does: 'together', operations: [operation] });

/** Steps in which a worker takes a job and is lost. After three repetitions the job has no attempts left. */
const loss: readonly Step[] = [
  alone({ does: 'take', worker: 0 }),
  alone({ does: 'beat', worker: 0 }),
  { does: 'kill', worker: 0 },
  { does: 'advance', milliseconds: LEASE + 1 },
  alone({ does: 'sweep' }),
];

const stretch: fc.Arbitrary<readonly Step[]> = fc.oneof(
  { weight: 30, arbitrary: step.map((one) => [one]) },
  { weight: 1, arbitrary: fc.constantFrom(loss, [...loss, ...loss, ...loss]) },
);

/** Generates sequences that begin with a job, because an endpoint without jobs has nothing to do. */
export const steps: fc.Arbitrary<Step[]> = fc
  .array(stretch, { minLength: 4, maxLength: 16, size: 'max' })
  .map((more) => [alone({ does: 'run', size: 'small', kind: 'run', policy: {} }), ...more.flat()]);

/** Maximum number of faults in a sequence with faults. */
export const MAX_FAULTS = 8;

const kindAndTries = { kind: fc.constantFrom(...faultKinds), tries: fc.constantFrom(1, 1, 2, 3) };

/**
 * Generates faults.
 * @param sites call sites at which faults can occur
 * @param max maximum number of faults
 */
export const faults = (sites: readonly string[], max: number): fc.Arbitrary<Fault[]> =>
  fc.array(
    fc.oneof(
      fc.record({ site: fc.constantFrom(...sites), nth: fc.integer({ min: 1, max: 3 }), ...kindAndTries }),
      fc.record({ nth: fc.integer({ min: 1, max: 60 }), ...kindAndTries }),
    ),
    { maxLength: max, size: 'max' },
  );
