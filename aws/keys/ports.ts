/** Ports of the function that creates and revokes the keys of functions. */
import type { CallerKeyPorts } from '../../core/keys/caller-keys.ts';
import { adaptersOf, portsFrom } from '../ports.ts';
import { createCallerSecrets } from './caller-secrets.ts';

export function createCallerKeyPorts(): CallerKeyPorts {
  const { clock, keys } = adaptersOf();
  return portsFrom<CallerKeyPorts>({ clock, keys, callerSecrets: createCallerSecrets });
}
