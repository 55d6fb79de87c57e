/** The payload bucket. Its client is slow to load, and most jobs have no objects, so it is loaded when it is needed. */
import type { Objects } from '../../core/jobs/store.ts';
import type { OnClient } from '../clients.ts';

export function createObjects(onClient?: OnClient): Objects {
  let loaded: Promise<Objects> | undefined;
  // A local module limits the bundle to the used parts of the client. A direct dynamic import would bundle the
  // whole client.
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
