import type { Clock } from '../clock.ts';
import type { Blocker } from '../endpoints/fleet-state.ts';
import type { Endpoints } from '../endpoints/store.ts';
import { resume } from '../fleet/resume.ts';

export interface Resumed {
  /** Id of the endpoint. */
  readonly id: string;
  /** Whether it had started no more workers because several in a row had failed. */
  readonly backedOff: boolean;
  /** What had kept workers from becoming ready, as `waitReason` has it; absent if nothing had. */
  readonly reason?: Blocker;
}

/**
 * Lets an endpoint that backs off start workers again, and tries a release again that was rolled back.
 *
 * Input: endpoint id. Output: what is forgotten. The next sweep, within a minute, starts as many workers as jobs need.
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
