/** Breaks that the tests of releases and of their part in deployments must notice. */
import { type Mutant, mutant } from './mutant.ts';

const DEPLOYMENTS = 'test/releases/deployments.test.ts';
const ROLLOUT = 'test/releases/rollout.test.ts';
const CRASHES = 'test/releases/crashes.test.ts';
const ACCEPTANCE = 'test/acceptance/redeployed.long.ts';
const TEMPLATE = 'test/lib/releases/worker-release.test.ts';
const WITHDRAWN = 'test/templates/withdrawn.test.ts';
const WITHDRAWN_BY_STACKS = 'test/lambda/withdrawn-template.test.ts';

export const releaseMutants: readonly Mutant[] = [
  mutant('a withdrawn template stays after its last endpoint')
    .replace('core/templates/associate.ts', 'return removeWithdrawn({ templates }, id);', 'return;')
    .killedBy(WITHDRAWN_BY_STACKS, 'stays when its file is deleted, and is deleted when the'),
  mutant('a withdrawn template is used by another endpoint')
    .replace(
      'aws/templates/templates.ts',
      "'attribute_exists(#item) AND attribute_not_exists(withdrawnAt)'",
      "'attribute_exists(#item)'",
    )
    .killedBy(WITHDRAWN_BY_STACKS, 'is refused to other endpoints, and to endpoints that have'),
  mutant('a template stays withdrawn if its last endpoint dissociates meanwhile')
    .replace(
      'core/templates/declare.ts',
      '    if (isWithdrawn(present)) return (await templates.usersOf(id)).length > 0 ? undefined : CONFLICT;',
      '    if (isWithdrawn(present)) return undefined;',
    )
    .killedBy(WITHDRAWN, 'before it is marked as withdrawn'),
  mutant('a deployment sets the count of a service')
    .replace('core/releases/stack.ts', 'return (await services.desired(endpoint)) ?? 0;', 'return services ? 0 : 1;')
    .killedBy(DEPLOYMENTS, 'if it changes only tags of the service'),
  mutant('a service in another cluster begins without workers')
    .replace(
      'core/releases/stack.ts',
      'return endpoint.desiredWorkers ?? endpoint.minWorkers;',
      'return endpoint.desiredWorkers === undefined ? endpoint.minWorkers : 0;',
    )
    .killedBy('test/releases/live-count.test.ts', 'another cluster'),
  mutant('a release that lost the race keeps its revision')
    .replace('core/releases/release.ts', 'await revisions.withdraw(revision);', 'continue;')
    .killedBy(DEPLOYMENTS, 'simultaneous release was stored first'),
  mutant('a release withdraws the revision that it has stored')
    .replace(
      'core/releases/release.ts',
      'if (!isSet && (await endpoints.readNow(id))?.release?.revision !== revision)',
      'if (!isSet)',
    )
    .killedBy(DEPLOYMENTS, 'repeated write is refused'),
  mutant('a stack that is deleted leaves revisions to run')
    .replace(
      'core/releases/stack.ts',
      'for (const revision of await revisions.list(family)) await revisions.withdraw(revision);',
      'await revisions.list(family);',
    )
    .killedBy(DEPLOYMENTS, 'leaves no active revision'),
  mutant('a release leaves the least workers to the sweeper')
    .replace('lambda/releases/release.ts', "await scale(ports, endpoint, 'up');", 'void scale;')
    .killedBy(DEPLOYMENTS, 'minimum number of workers'),
  mutant('the template names the revision of the blueprint')
    .remove('lib/releases/worker-release.ts', 'template.taskDefinition = this.family;')
    .killedBy(TEMPLATE, 'names a family'),
  mutant('a change of the tags of a service does not ask for its count')
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
  mutant('a release is complete before a worker of it was ready')
    .replace(
      'core/releases/state.ts',
      'const { settledAt = now, restore, proven = isReady } = release;',
      'const { settledAt = now, restore, proven = isReady || true } = release;',
    )
    .killedBy(ROLLOUT, 'is in progress at 0 tasks'),
  mutant('a release is rolled back for failures of another')
    .replace(
      'core/releases/follow.ts',
      'failed.filter((failure) => failure.revision === revision)',
      'failed.filter((failure) => failure.revision !== undefined || revision > 0)',
    )
    .killedBy(ROLLOUT, 'not rolled back because workers'),
  mutant('a release that was rolled back leaves its revision to run')
    .replace(
      'core/releases/apply.ts',
      'if (refused?.revision) await withdrawAfter(',
      'if (refused?.revision === "") await withdrawAfter(',
    )
    .killedBy(ROLLOUT, 'if its image is missing'),
  mutant('a release that was rolled back is repeated')
    .replace(
      'core/releases/release.ts',
      'else if (present?.refused && isSameSource(present.refused, wanted)) return;',
      'else if (present?.refused && wanted.blueprint === "") return;',
    )
    .killedBy(ROLLOUT, 'not released again'),
  mutant('a rollback by ECS is deployed again')
    .replace('core/releases/state.ts', 'const hasFailed = isRolledBack || ', 'const hasFailed = ')
    .killedBy(ROLLOUT, 'ECS has rolled back'),
  mutant('failures of an old revision count for the endpoint')
    .replace(
      'core/fleet/observe.ts',
      "said?.is === 'failed' && isOver(endpoint, event) ? undefined : said",
      "said?.is === 'failed' && isOver(endpoint, event) ? said : said",
    )
    .killedBy(ROLLOUT, 'back off when workers of the failed revision'),
  mutant('a release is finished when it is stored')
    .replace(
      'core/releases/state.ts',
      "    startedAt: now,\n    state: 'IN_PROGRESS',",
      "    startedAt: now,\n    settledAt: now,\n    state: 'IN_PROGRESS',",
    )
    .killedBy(CRASHES, 'completes an interrupted update'),
];
