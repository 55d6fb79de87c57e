/** Ports of functions and agents that seal and open the secrets of jobs. */

import { createSecrets } from './jobs/secrets.ts';
import { payloadAdapters } from './payload-ports.ts';
import { type Adapters, type PortOptions, type Ports, portsFrom } from './ports.ts';

const secretAdapters = (options?: PortOptions): Adapters<Ports> => ({
  ...payloadAdapters(options),
  secrets: createSecrets,
});

export const createSecretPorts = (options?: PortOptions): Ports => portsFrom(secretAdapters(options));
