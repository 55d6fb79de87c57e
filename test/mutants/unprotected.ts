/** Mutants of work without protection. Each lets ECS stop a worker that has a job, or leaves a job waiting. */
import { type Mutant, mutant } from './mutant.ts';

const WORKER = 'test/worker/unprotected.test.ts';
const SCALE = 'test/workers/scale.test.ts';
const UNPROTECTED = 'core/workers/unprotected.ts';
const PERMIT = 'worker/agent/take-permit.ts';

export const unprotectedMutants: readonly Mutant[] = [
  mutant('a worker continues unprotected after its release')
    .replace(UNPROTECTED, 'if (!release || isComplete(release) || numberOf', 'if (!release || numberOf')
    .killedBy(WORKER, 'is complete'),
  mutant('a worker of any revision works unprotected')
    .replace(UNPROTECTED, ' || numberOf(release.revision) !== revision) return false;', ') return false;')
    .killedBy(WORKER, 'is of another revision'),
  mutant('a worker begins a job without protection during a scale-in')
    .replace(UNPROTECTED, 'now - scaleInAt > SCALE_IN_LASTS', 'now - scaleInAt >= 0')
    .killedBy(WORKER, 'within 15 s after a scale-in'),
  mutant('a worker works unprotected before its lease shows it')
    .replace(PERMIT, "    await beatAs('WORKS', before);", "    void beatAs('WORKS', before);")
    .killedBy(WORKER, 'after its lease shows that it works unprotected'),
  mutant('a failed write of a lease changes the state of protection')
    .replace(PERMIT, '      state = before;\n      throw error;', '      throw error;')
    .killedBy(WORKER, 'while its lease could not be stored'),
  mutant('any error of ECS lets a worker work unprotected')
    .replace(PERMIT, 'if (error instanceof ProtectionBlocked) {', '{')
    .killedBy(WORKER, 'if ECS refuses for another reason'),
  mutant('a worker that has been idle for a long time still waits for protection')
    .replace(PERMIT, "(state === 'WORKS' || !wanted)", "state === 'WORKS'")
    .killedBy(WORKER, 'has `WAITS` removed'),
  mutant('a scale-in during a release reads unprotected workers once')
    .replace(UNPROTECTED, 'return !hasUnprotected(await workers.listNow(id), clock.now());', 'return true;')
    .killedBy(SCALE, 'during a release keeps a worker that begins to work'),
  mutant('the sweeper reduces a service that has unprotected workers')
    .replace('core/sweeper/sweep.ts', 'if (actual > wanted && ', 'if (actual < wanted && ')
    .killedBy('test/sweeper/sweep.test.ts', 'is not reduced while a worker runs jobs without'),
  mutant('a worker that ECS refuses to protect counts as idle')
    .replace(
      'core/workers/lease.ts',
      "unprotected === 'WAITS' && jobs.length === 0;",
      "unprotected === 'WAITS' && jobs.length < 0;",
    )
    .killedBy('test/status/health.test.ts', 'as throttled'),
  mutant('a worker that ECS refuses to protect counts as free')
    .replace('core/status/waiting.ts', 'free: usable - busy,', 'free: usable + refused.length - busy,')
    .killedBy('test/status/waiting.test.ts', 'ECS protects only the busy worker'),
  mutant('a job that no lease names yet has no worker')
    .replace(
      'core/workers/count.ts',
      'Math.min(Math.max(named, min), inProgress, ready.length)',
      'Math.min(named, inProgress, ready.length)',
    )
    .killedBy('test/status/health.test.ts', 'returns counts of workers that are consistent with the'),
  mutant('a job that has ended still has a worker')
    .replace(
      'core/workers/count.ts',
      'Math.min(Math.max(named, min), inProgress, ready.length)',
      'Math.min(Math.max(named, min), ready.length)',
    )
    .killedBy('test/status/health.test.ts', 'returns counts of workers that are consistent with the'),
];
