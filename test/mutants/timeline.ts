/** Mutants of the starts of workers and of the stages of a wait. */
import { type Mutant, mutant } from './mutant.ts';

const STAGES = 'test/fleet/stages.test.ts';
const STARTS = 'test/fleet/starts.test.ts';

export const timelineMutants: readonly Mutant[] = [
  mutant('a stage lasts longer than the wait')
    .replace('core/fleet/stages.ts', 'Math.max(at, Math.min(end, to))', 'Math.max(at, end)')
    .killedBy(STAGES, 'add up to the wait'),
  mutant('a stage ends before the previous stage')
    .replace('core/fleet/stages.ts', 'Math.max(at, Math.min(end, to))', 'Math.min(end, to)')
    .killedBy(STAGES, 'add up to the wait'),
  mutant('the first event of a start counts, not the earliest')
    .replace('core/fleet/start.ts', 'createdAt: Math.min,', 'createdAt: (...times) => times[0] ?? 0,')
    .killedBy(STAGES, 'doubled, late and shuffled events'),
  mutant('an event that reports a pull of one image hides that of a later image')
    .replace('core/fleet/start.ts', 'pullStoppedAt: Math.max,', 'pullStoppedAt: Math.min,')
    .killedBy(STARTS, 'for any order of its events'),
  mutant('a job has the stages of a worker that was ready before')
    .replace('core/fleet/stages.ts', 'ready > from', 'ready > 0')
    .killedBy(STARTS, 'was ready before the job was queued'),
  mutant('each status reads the start of the worker')
    .replace('core/status/status.ts', 'hasTimeline ? (delay: number) =>', 'hasTimeline !== null ? (delay: number) =>')
    .killedBy(STARTS, 'is read only if the client asks for it'),
  mutant('a start loses the time of a concurrent writer')
    .replace('aws/workers/starts.ts', "compare('version', '=', version)", "compare('version', '>=', version)")
    .killedBy(STARTS, 'for any order of its events'),
  mutant('an earlier launch of an instance replaces a later one')
    .replace('aws/workers/starts.ts', "compare('launchedAt', '<', at)", "compare('launchedAt', '<>', at)")
    .killedBy(STARTS, 'has the times of its instance'),
];
