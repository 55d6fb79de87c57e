import type { Clock } from '../core/clock.ts';
import type { OnUnreadable } from '../core/unreadable.ts';
import type { OnClient } from './clients.ts';
import { createObjects } from './objects.ts';
import { createPorts, type Ports } from './ports.ts';
import type { SlotHolder } from './slot-holders.ts';

/** The ports of those who read and write inputs and outputs of any size. */
export const createPayloadPorts = (
  clock?: Clock,
  onClient?: OnClient,
  onUnreadable?: OnUnreadable,
  holder?: SlotHolder,
): Omit<Ports, 'secrets'> =>
  Object.assign(createPorts(clock, onClient, onUnreadable, holder), { objects: createObjects(onClient) });
