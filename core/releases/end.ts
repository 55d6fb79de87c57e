import type { ReleaseWorld, WorkerFamily } from './first.ts';

/** Withdraws every revision of an endpoint that is gone, and forgets what its service was told. */
export async function end({ endpoints, revisions }: ReleaseWorld, { endpoint, family }: WorkerFamily): Promise<void> {
  for (const revision of await revisions.list(family)) await revisions.withdraw(revision);
  await endpoints.forgetService(endpoint);
}
