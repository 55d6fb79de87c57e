/** The payload bucket. Its client is loaded when the first object is: most jobs have none, and it takes time to load. */
import type { Objects } from '../../core/jobs/store.ts';
import type { OnClient } from '../clients.ts';

export function createObjects(onClient?: OnClient): Objects {
  let loaded: Promise<Objects> | undefined;
  // A module that names what it needs, not the client itself: all of that would be in the bundle.
  const load = async () => (await import('./s3-objects.ts')).createS3Objects(onClient);
  const objects = () => {
    loaded ??= load();
    return loaded;
  };
  return {
    write: async (key, bytes) => (await objects()).write(key, bytes),
    read: async (key, reserve) => (await objects()).read(key, reserve),
  };
}
