import type { Clock } from '../core/clock.ts';
import type { OnUnreadable } from '../core/unreadable.ts';
import type { OnClient } from './clients.ts';
import { createPayloadPorts } from './payload-ports.ts';
import type { Ports } from './ports.ts';
import { createSecrets } from './secrets.ts';
import type { SlotHolder } from './slot-holders.ts';

/** The ports of those who seal the secrets of jobs, and of those who open them. */
export const createSecretPorts = (
  clock?: Clock,
  onClient?: OnClient,
  onUnreadable?: OnUnreadable,
  holder?: SlotHolder,
): Ports => Object.assign(createPayloadPorts(clock, onClient, onUnreadable, holder), { secrets: createSecrets() });
