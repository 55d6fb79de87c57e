/** Mutants of releases, and of deployments that begin or change releases. */
import { type Mutant, mutant } from './mutant.ts';

const DEPLOYMENTS = 'test/releases/deployments.test.ts';
const ROLLOUT = 'test/releases/rollout.test.ts';
const CRASHES = 'test/releases/crashes.test.ts';
const ACCEPTANCE = 'test/acceptance/redeployed.long.ts';
const TEMPLATE = 'test/lib/releases/worker-release.test.ts';
const WITHDRAWN = 'test/templates/withdrawn.test.ts';
const WITHDRAWN_BY_STACKS = 'test/lambda/withdrawn-template.test.ts';

export const releaseMutants: readonly Mutant[] = [
  mutant('a withdrawn template remains after its last endpoint dissociates')
    .replace('core/templates/associate.ts', 'return removeWithdrawn({ templates }, id);', 'return;')
    .killedBy(WITHDRAWN_BY_STACKS, 'remains when its file is deleted, and is deleted when the'),
  mutant('another endpoint can use a withdrawn template')
    .replace('aws/templates/templates.ts', "and(exists('item'), notExists('withdrawnAt'))", "exists('item')")
    .killedBy(WITHDRAWN_BY_STACKS, 'cannot be used by other endpoints, or by endpoints that have'),
  mutant('a template remains withdrawn if its last endpoint dissociates at the same time')
    .replace(
      'core/templates/declare.ts',
      '    if (isWithdrawn(present)) return (await templates.endpointsOf(id)).length > 0 ? undefined : CONFLICT;',
      '    if (isWithdrawn(present)) return undefined;',
    )
    .killedBy(WITHDRAWN, 'before it is marked as withdrawn'),
  mutant('a deployment changes the number of workers of a service')
    .replace('core/releases/stack.ts', 'return (await services.desired(endpoint)) ?? 0;', 'return services ? 0 : 1;')
    .killedBy(DEPLOYMENTS, 'if it changes only tags of the service'),
  mutant('a service in another cluster begins without workers')
    .replace(
      'core/releases/stack.ts',
      'return endpoint.desiredWorkers ?? endpoint.minWorkers;',
      'return endpoint.desiredWorkers === undefined ? endpoint.minWorkers : 0;',
    )
    .killedBy('test/releases/live-count.test.ts', 'another cluster'),
  mutant('a release that another release overtook keeps its revision')
    .replace('core/releases/release.ts', 'await revisions.deregister(target.revision);', 'return;')
    .killedBy(DEPLOYMENTS, 'simultaneous release was stored first'),
  mutant('a release withdraws the revision that it has stored')
    .replace(
      'core/releases/release.ts',
      'const isOwn = (await endpoints.readNow(id))?.release?.revision === target.revision;',
      'const isOwn = false;',
    )
    .killedBy(DEPLOYMENTS, 'repeated write is refused'),
  mutant('a deleted stack leaves active revisions')
    .replace(
      'core/releases/stack.ts',
      'for (const revision of await revisions.list(family)) await revisions.deregister(revision);',
      'await revisions.list(family);',
    )
    .killedBy(DEPLOYMENTS, 'leaves no active revision'),
  mutant('a release does not start the minimum number of workers')
    .replace('lambda/releases/release.ts', "await scale(ports, endpoint, 'up');", 'void scale;')
    .killedBy(DEPLOYMENTS, 'minimum number of workers'),
  mutant('the stack template contains the revision of the blueprint')
    .remove('lib/releases/worker-release.ts', 'template.taskDefinition = this.family;')
    .killedBy(TEMPLATE, 'names a family'),
  mutant('a change of the tags of a service does not read its live count')
    .replace(
      'lib/releases/worker-release.ts',
      'const { desiredCount: _, ...properties }',
      'const { desiredCount: _, tags: __, ...properties }',
    )
    .killedBy(TEMPLATE, 'that changes the service first reads the live count'),
  mutant('a deployment stops the workers of a service that it changes')
    .replace(
      'lambda/releases/live-count.ts',
      'count: await liveCount(ports, { endpoint, cluster: service.cluster })',
      'count: (await liveCount(ports, { endpoint, cluster: service.cluster })) * 0',
    )
    .killedBy(ACCEPTANCE, 'next deployment'),
  mutant('a deployment does not release its changes of the workers')
    .replace(
      'lambda/releases/release.ts',
      "if (RequestType === 'Delete') return;",
      "if (RequestType !== 'Create') return;",
    )
    .killedBy(ACCEPTANCE, 'next deployment'),
  mutant('a release completes before one of its workers is ready')
    .replace(
      'core/releases/state.ts',
      'const { settledAt = now, restore, proven = isReady } = release;',
      'const { settledAt = now, restore, proven = isReady || true } = release;',
    )
    .killedBy(ROLLOUT, 'is in progress at 0 tasks'),
  mutant('a release is rolled back because of failures of another release')
    .replace(
      'core/releases/follow.ts',
      'failed.filter((failure) => failure.revision === revision)',
      'failed.filter((failure) => failure.revision !== undefined || revision > 0)',
    )
    .killedBy(ROLLOUT, 'not rolled back because workers'),
  mutant('a rolled-back release leaves its revision active')
    .replace(
      'core/releases/apply.ts',
      'if (refused?.revision) await deregisterAfter(',
      'if (refused?.revision === "") await deregisterAfter(',
    )
    .killedBy(ROLLOUT, 'if its image is missing'),
  mutant('a rolled-back release is repeated')
    .replace(
      'core/releases/release.ts',
      "if (isStillRefused(endpoint, source)) return 'DONE';",
      "if (current?.refused && source.blueprint === '') return 'DONE';",
    )
    .killedBy(ROLLOUT, 'not released again'),
  mutant('a release that ECS rolled back is deployed again')
    .replace('core/releases/state.ts', 'const hasFailed = isRolledBack || ', 'const hasFailed = ')
    .killedBy(ROLLOUT, 'ECS has rolled back'),
  mutant('failures of an old revision count for the endpoint')
    .replace(
      'core/fleet/observe.ts',
      "reported?.is === 'failed' && isOver(endpoint, event) ? undefined : reported",
      "said?.is === 'failed' && isOver(endpoint, event) ? reported : reported",
    )
    .killedBy(ROLLOUT, 'back off when workers of the failed revision'),
  mutant('a release counts as finished as soon as it is stored')
    .replace(
      'core/releases/state.ts',
      "    startedAt: now,\n    state: 'IN_PROGRESS',",
      "    startedAt: now,\n    settledAt: now,\n    state: 'IN_PROGRESS',",
    )
    .killedBy(CRASHES, 'completes an interrupted update'),
];
