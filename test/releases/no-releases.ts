/** Release ports for endpoints without releases: any use of them fails. */
import type { ReleaseParts } from '../../aws/releases/ports.ts';

function refuse(): never {
  throw new Error('There is nothing to release here.');
}

const untouched = <Part extends object>(): Part => new Proxy({}, { get: refuse }) as Part;

export const noReleases = (): Omit<ReleaseParts, 'services'> => ({
  revisions: untouched(),
  history: untouched(),
  templates: untouched(),
  vault: untouched(),
});
