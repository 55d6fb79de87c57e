/** Mutants of what costs money: starts and stops of workers and instances, run times and prices. */
import { type Mutant, mutant } from './mutant.ts';

export const fleetMutants: readonly Mutant[] = [
  mutant('the first of two simultaneous scalings wins')
    .replace('core/fleet/scale.ts', 'contended = true;', 'return;')
    .killedBy('test/workers/scale.test.ts', 'by two simultaneous processes sets the number that is'),
  mutant('a busy worker is stopped')
    .replace('core/fleet/scale.ts', 'Math.max(wanted, kept.length)', 'wanted')
    .killedBy('test/workers/scale.test.ts', 'never sets less than the number of workers that have or'),
  mutant('jobs start workers of an endpoint that is backing off')
    .replace(
      'core/fleet/scale.ts',
      'if (needed >= present && !fleet.backOff) return needed;',
      'if (needed >= present) return needed;',
    )
    .killedBy('test/fleet/observe.test.ts', 'starts no workers for new jobs'),
  mutant('failures at the same time are lost')
    .replace('core/stored-items/conflicts.ts', '  endpoint: 10,', '  endpoint: 1,')
    .killedBy('test/fleet/observe.test.ts', 'whose events arrive'),
  mutant('a launch is not stored before it is requested')
    .replace('core/fleet/launcher.ts', 'if (!(await this.#save({ launch })) || ', 'if (')
    .killedBy('test/fleet/launch.property.test.ts', 'launches no instance twice'),
  mutant('instances that start do not count')
    .replace(
      'core/fleet/launch-missing.ts',
      'Array.from({ length: launcher.countStarting() }',
      'Array.from({ length: 0 * launcher.countStarting() }',
    )
    .killedBy('test/fleet/launch.property.test.ts', 'launches one instance for the first job'),
  mutant('an instance ends without a second look')
    .replace('core/fleet/end-empty.ts', "status === 'DRAINING' && tasks === 0;", "status === 'DRAINING' && tasks >= 0;")
    .killedBy('test/fleet/launch.property.test.ts', 'never ends with a task'),
  mutant('empty instances are left to ECS')
    .replace('core/fleet/end-empty.ts', '>= emptyFor', '>= emptyFor + 1e9')
    .killedBy('test/fleet/launch.property.test.ts', 'ends it in time'),
  mutant('the run time of a worker is added each time its stop is reported')
    .replace(
      'aws/templates/templates.ts',
      "Item: { ...keyOf('metered', worker), removeAfter: removeAfter(RUN_TIME_KEPT) },\n            ...ifAbsent,",
      "Item: { ...keyOf('metered', worker), removeAfter: removeAfter(RUN_TIME_KEPT) },",
    )
    .killedBy('test/templates/run-time.test.ts', 'adds its run time once'),
  mutant('the price of a worker leaves out instance types without a price')
    .replace(
      'lib/prices/worker-hour.ts',
      'if (row === undefined) return undefined;',
      'if (row === undefined) continue;',
    )
    .killedBy('test/lib/capacity/worker-prices.test.ts', 'has an unknown price'),
];
