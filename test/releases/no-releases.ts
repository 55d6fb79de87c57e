/** Release ports for endpoints without releases. Every call to a port fails. */
import type { ReleaseParts } from '../../aws/releases/ports.ts';

function refuse(): never {
  throw new Error('This test does not support releases.');
}

/** Returns a port of which no property may be read. */
export const untouched = <Part extends object>(): Part => new Proxy({}, { get: refuse }) as Part;

export const noReleases = (): Omit<ReleaseParts, 'services'> => ({
  revisions: untouched(),
  history: untouched(),
  templates: untouched(),
  vault: untouched(),
});
