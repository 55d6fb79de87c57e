import type { Endpoints } from '../endpoints/store.ts';
import type { WorkerFamily } from './first.ts';
import type { ReleaseHistory } from './history.ts';
import type { Revisions } from './revisions.ts';

export type EndPorts = { readonly endpoints: Endpoints } & {
  readonly revisions: Pick<Revisions, 'list' | 'withdraw'>;
  readonly history: Pick<ReleaseHistory, 'list' | 'retire'>;
};

/** Withdraws every revision of an endpoint that is gone, and forgets what its service was told, in time its releases too. */
export async function end(
  { endpoints, revisions, history }: EndPorts,
  { endpoint, family }: WorkerFamily,
): Promise<void> {
  for (const revision of await revisions.list(family)) await revisions.withdraw(revision);
  await endpoints.forgetService(endpoint);
  for await (const { key } of history.list(endpoint)) await history.retire(endpoint, key);
}
