/** Mutants of releases, and of templates that they use. */
import { type Mutant, mutant } from './mutant.ts';

export const releaseMutants: readonly Mutant[] = [
  mutant('a deployment changes the number of workers of a service')
    .replace(
      'core/releases/endpoint-stack.ts',
      'return (await services.desired(endpoint)) ?? 0;',
      'return services ? 0 : 1;',
    )
    .killedBy('test/releases/deployments.test.ts', 'if it changes only tags of the service'),
  mutant('a release withdraws the revision that it has stored')
    .replace(
      'core/releases/release.ts',
      'const isOwn = (await endpoints.readNow(id))?.release?.revision === target.revision;',
      'const isOwn = false;',
    )
    .killedBy('test/releases/deployments.test.ts', 'repeated write is refused'),
  mutant('a release counts as finished as soon as it is stored')
    .replace(
      'core/releases/transitions.ts',
      "    startedAt: now,\n    state: 'IN_PROGRESS',",
      "    startedAt: now,\n    settledAt: now,\n    state: 'IN_PROGRESS',",
    )
    .killedBy('test/releases/crashes.test.ts', 'completes an interrupted update'),
  mutant('a change of a template does not store the version that it replaces')
    .replace('aws/templates/templates.ts', 'from.version === to.version ? []', 'from.version !== to.version ? []')
    .killedBy('test/management/rollback.test.ts', 'is stored with the change'),
];
