import type { Clock } from '../clock.ts';
import type { Blocker } from '../endpoints/fleet-state.ts';
import type { Endpoints } from '../endpoints/store.ts';
import { resume } from '../fleet/resume.ts';
import type { EventCaller } from '../history/event.ts';
import { type EventPorts, eventCallerOf } from '../history/record-event.ts';

export interface Resumed {
  /** Id of the endpoint. */
  readonly id: string;
  /** Whether the endpoint had backed off, because several workers in a row had failed. */
  readonly backedOff: boolean;
  /** The blocker before the call, as in `waitReason`; absent if there was none. */
  readonly reason?: Blocker;
}

/**
 * Ends the back-off of an endpoint, and repeats a release that was rolled back.
 *
 * Input: endpoint id. Output: the state before. The next sweep, within a minute, starts as many workers as jobs need.
 * @throws EndpointNotFound
 */
export async function resumeEndpoint(
  ports: { readonly clock: Clock; readonly endpoints: Endpoints },
  id: string,
): Promise<Resumed> {
  const { backOff, condition } = await resume(ports, id);
  const reason = condition?.is === 'STARTING' ? undefined : condition?.is;
  return { id, backedOff: backOff !== undefined, ...(reason && { reason }) };
}

/** Ends the back-off of an endpoint for a caller, and adds that to the history. */
export async function resumeAs(
  ports: { readonly clock: Clock; readonly endpoints: Endpoints } & EventPorts,
  id: string,
  by: EventCaller,
): Promise<Resumed> {
  const resumed = await resumeEndpoint(ports, id);
  await ports.eventHistory.add({ endpoint: id, kind: 'RESUME', at: ports.clock.now(), by: eventCallerOf(by) });
  return resumed;
}
