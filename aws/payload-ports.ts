/** Ports of functions that read and write inputs and outputs of any size. */
import { createS3Objects } from './jobs/s3-objects.ts';
import { type Adapters, adaptersOf, type PortOptions, type Ports, portsFrom } from './ports.ts';

export const payloadAdapters = (options: PortOptions = {}): Adapters<Omit<Ports, 'secrets'>> => ({
  ...adaptersOf(options),
  objects: () => createS3Objects(options.onClient),
});

export const createPayloadPorts = (options?: PortOptions): Omit<Ports, 'secrets'> =>
  portsFrom(payloadAdapters(options));
