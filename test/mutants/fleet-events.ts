/** Mutants of the reasons why workers do not start, and of the back-off. */
import { type Mutant, mutant } from './mutant.ts';

const FACT = 'test/fleet/fact.test.ts';
const LAUNCH = 'test/fleet/launch.test.ts';
const LAUNCHES = 'test/fleet/launch.property.test.ts';
const STATE = 'test/fleet/state.test.ts';
const OBSERVE = 'test/fleet/observe.test.ts';
const PLACEMENT = 'local/test/ecs/placement.test.ts';
const NO_WORKER = 'test/acceptance/no-worker.test.ts';

export const fleetEventMutants: readonly Mutant[] = [
  mutant('a reached quota is reported as missing capacity')
    .remove(
      'core/fleet/messages.ts',
      "{ means: 'QUOTA', pattern: /reached (?:the|your) (?:limit|quota)/i, source: SERVICE_EVENTS },",
    )
    .killedBy(FACT, 'a failure that AWS reports'),
  mutant('the message of a provider can contain credentials')
    .replace('core/endpoints/fleet-state.ts', 'return query < 0 ? url', 'return query >= 0 ? url')
    .killedBy(FACT, 'without credentials'),
  mutant('a worker that was ready counts as one that exits immediately')
    .replace(
      'core/fleet/fact.ts',
      'startedAt === undefined || readySince === null',
      'startedAt === undefined || readySince !== undefined',
    )
    .killedBy(FACT, 'was ready if its container exits while it has a job'),
  mutant('each event of one stop is a failure with its own time')
    .replace('core/fleet/fact.ts', 'event.stoppingAt ?? event.at;', 'event.at;')
    .killedBy(FACT, 'failed at the time when it began to stop, according to'),
  mutant('the pause between starts of workers has no maximum')
    .replace(
      'core/workers/back-off.ts',
      'Math.min(backOffLimits.firstPause * 2 ** (tries - 1), backOffLimits.maxPause)',
      'backOffLimits.firstPause * 2 ** (tries - 1)',
    )
    .killedBy(STATE, 'up to an hour'),
  mutant('an unhealthy worker remains the blocker for jobs that arrive days later')
    .replace(
      'core/workers/facts.ts',
      " || condition.is === 'STARTING' || isOfReadyWorker(condition);",
      " || condition.is === 'STARTING';",
    )
    .killedBy(OBSERVE, 'no longer counts an unhealthy worker after the endpoint'),
  mutant('a release does not end the back-off')
    .replace('core/workers/facts.ts', 'return afterRelease(state, fact.at);', 'return state;')
    .killedBy(STATE, 'release'),
  mutant('a release removes failures that are later')
    .replace(
      'core/workers/facts.ts',
      'failed.filter((failure) => failure.at > at).reduce<Failures>(addFailure, { failed: [] })',
      '({ failed: [] } as Failures)',
    )
    .killedBy(STATE, 'counts the workers that failed after a release'),
  mutant('jobs start workers of an endpoint that is backing off')
    .replace(
      'core/fleet/scale.ts',
      'if (needed >= present && !fleet.backOff) return needed;',
      'if (needed >= present) return needed;',
    )
    .killedBy(OBSERVE, 'starts no workers for new jobs'),
  mutant('a starting worker is kept although the endpoint is backing off')
    .replace('core/fleet/scale.ts', '(fleet.backOff ? ready : leases)', 'leases')
    .killedBy(OBSERVE, 'stops a worker that ECS started instead of a failed one'),
  mutant('a ready worker does not end the back-off')
    .remove('core/sweeper/sweep.ts', '    await sweepFleet(ports, endpoint);\n')
    .killedBy(OBSERVE, 'starts all its workers again as soon as a worker is ready'),
  mutant('failures at the same time are lost')
    .replace('core/stored-items/conflicts.ts', '  endpoint: 10,', '  endpoint: 1,')
    .killedBy(OBSERVE, 'whose events arrive'),
  mutant('a deployment of the stack does not end the back-off')
    .replace(
      'aws/endpoints/endpoints.ts',
      "return stateAfter(fleet, { is: 'released', at: registeredAt });",
      'return registeredAt < 0 ? unknownFleet : fleet;',
    )
    .killedBy(OBSERVE, 'registers it again'),
  mutant('a task is started on a full instance')
    .replace(
      'local/ecs/service.ts',
      'if (hasPlace()) launch(deployment);',
      'hasPlace();\n    if (desired > 0) launch(deployment);',
    )
    .killedBy(PLACEMENT, 'is requested again'),
  mutant('the fleet function does not receive service actions')
    .remove('lib/workers/fleet-events.ts', "'SERVICE_TASK_PLACEMENT_FAILURE',")
    .killedBy(NO_WORKER, 'the reason that ECS reports'),
  mutant('a failed instance start is reported for endpoints that need no instance')
    .replace('core/fleet/launch-failure.ts', '> placed.size', '> placed.size - 100')
    .killedBy(LAUNCH, 'does not affect'),
  mutant('a failed instance start is reported for other pools')
    .replace('core/fleet/launch.ts', 'instanceGroup === event.group', "instanceGroup !== ''")
    .killedBy(LAUNCH, 'of another group'),
  mutant('a less precise event of ECS hides why no instance starts')
    .replace(
      'core/fleet/fact.ts',
      "...(lacksInstances(reason ?? '') && { isVague: true })",
      '...(!lacksInstances(name) && {})',
    )
    .killedBy(LAUNCH, 'replaces the less precise reason from ECS until a worker'),
  mutant('a task without a place counts as a failed start')
    .replace('core/fleet/fact.ts', 'if (neverHadPlace(event)) return noPlaceFact(event);', '')
    .killedBy(OBSERVE, 'never had a place'),
  mutant('a failed launch is a reason although another instance starts')
    .replace(
      'core/fleet/launch.ts',
      'const refused = reason ? unplaced : [];',
      'const refused = reason ? waiting.map(({ endpoint }) => endpoint) : [];',
    )
    .killedBy(LAUNCH, 'is no reason if the launched instance has room'),
  mutant('a launch is not stored before it is requested')
    .replace('core/fleet/launcher.ts', 'if (!(await this.#save({ launch })) || ', 'if (')
    .killedBy(LAUNCHES, 'launches no instance twice'),
  mutant('instances that start do not count')
    .replace(
      'core/fleet/launch-missing.ts',
      'Array.from({ length: launcher.countStarting() }',
      'Array.from({ length: 0 * launcher.countStarting() }',
    )
    .killedBy(LAUNCHES, 'launches one instance for the first job'),
  mutant('an instance ends without a second look')
    .replace('core/fleet/end-empty.ts', "status === 'DRAINING' && tasks === 0;", "status === 'DRAINING' && tasks >= 0;")
    .killedBy(LAUNCHES, 'never ends with a task'),
  mutant('empty instances are left to ECS')
    .replace('core/fleet/end-empty.ts', '>= emptyFor', '>= emptyFor + 1e9')
    .killedBy(LAUNCHES, 'ends it in time'),
  mutant('an agent immediately reports that its container is ready')
    .replace('worker/agent/heartbeat.ts', 'readySince: readySince ?? null,', 'readySince: readySince ?? 1,')
    .killedBy(NO_WORKER, 'workers exit|is unhealthy'),
];
