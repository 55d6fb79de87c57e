/** Breaks that the tests of releases, and of what deployments leave to them, must notice. */
import type { Mutant } from './mutant.ts';

const DEPLOYMENTS = 'test/releases/deployments.test.ts';
const ACCEPTANCE = 'test/acceptance/releases.test.ts';
const TEMPLATE = 'test/lib/worker-release.test.ts';

export const releaseMutants: readonly Mutant[] = [
  {
    name: 'a deployment makes a first revision again',
    file: 'core/releases/first.ts',
    replace: 'if ((await revisions.list(family)).length > 0) return;',
    by: '',
    test: DEPLOYMENTS,
    named: 'called twice',
  },
  {
    name: 'a deployment sets the count of a service',
    file: 'core/releases/live-count.ts',
    replace: 'return (endpoint && (await services.desired(endpoint))) ?? 0;',
    by: 'return endpoint && services ? 0 : 0;',
    test: DEPLOYMENTS,
    named: 'that changes the service leaves',
  },
  {
    name: 'a release that came second leaves its revision',
    file: 'core/releases/release.ts',
    replace: 'await revisions.withdraw(revision);',
    by: 'continue;',
    test: DEPLOYMENTS,
    named: 'comes second',
  },
  {
    name: 'a release withdraws what it has noted',
    file: 'core/releases/release.ts',
    replace: 'if (!noted && (await endpoints.readNow(id))?.release?.revision !== revision)',
    by: 'if (!noted)',
    test: DEPLOYMENTS,
    named: 'refused when it is tried again',
  },
  {
    name: 'a stack that is deleted leaves revisions to run',
    file: 'core/releases/end.ts',
    replace: 'for (const revision of await revisions.list(family)) await revisions.withdraw(revision);',
    by: 'await revisions.list(family);',
    test: DEPLOYMENTS,
    named: 'leaves no revision',
  },
  {
    name: 'a release leaves the least workers to the sweeper',
    file: 'lambda/releases/release.ts',
    replace: "await scale(world, endpoint, 'up');",
    by: 'void scale;',
    test: DEPLOYMENTS,
    named: 'least workers',
  },
  {
    name: 'the template names the revision of the blueprint',
    file: 'lib/worker-release.ts',
    replace: 'template.taskDefinition = this.family;',
    by: '',
    test: TEMPLATE,
    named: 'names a family',
  },
  {
    name: 'a change of the tags of a service does not ask for its count',
    file: 'lib/worker-release.ts',
    replace: 'const { desiredCount: _, ...properties }',
    by: 'const { desiredCount: _, tags: __, ...properties }',
    test: TEMPLATE,
    named: 'asks for the live count',
  },
  {
    name: 'a deployment takes the workers of a service that it changes',
    file: 'lambda/releases/live-count.ts',
    replace: 'count: await liveCount(world, String(ResourceProperties.endpoint))',
    by: 'count: (await liveCount(world, String(ResourceProperties.endpoint))) * 0',
    test: ACCEPTANCE,
    named: 'next deployment',
  },
  {
    name: 'a deployment does not release what it has changed of the workers',
    file: 'lambda/releases/release.ts',
    replace: "if (RequestType === 'Delete') return;",
    by: "if (RequestType !== 'Create') return;",
    test: ACCEPTANCE,
    named: 'next deployment',
  },
];
