/**
 * Releases in random traffic. Workers of a new revision start beside the others, which end what they run and stop. A
 * release whose workers fail is rolled back.
 */
import { createDocumentClient } from '../../aws/clients.ts';
import { createReleaseHistory } from '../../aws/releases/history.ts';
import type { Clock } from '../../core/clock.ts';
import type { ReleaseState } from '../../core/endpoints/release-summary.ts';
import type { EventCaller } from '../../core/history/event.ts';
import type { EventPorts } from '../../core/history/record-event.ts';
import { keyOf } from '../../core/releases/history.ts';

export const releaser: EventCaller = { kind: 'key', id: 'cccccccccccc', name: 'ci' };

/** Number of workers that fail until their release is rolled back. */
const FAILURES = 3;
const TEMPLATE = 'template-of-traffic';

/** A begin or an end of a release, as the person who releases notes it. */
export interface Released {
  readonly endpoint: string;
  readonly revision: number;
  readonly to: ReleaseState;
  readonly at: number;
}

interface Release {
  readonly revision: number;
  readonly startedAt: number;
  /** Whether its workers fail. */
  readonly isBroken: boolean;
  failures: number;
}

export type Releases = ReturnType<typeof createReleases>;

/** Creates the releases of endpoints whose workers run revision 1. */
export function createReleases(ports: EventPorts & { readonly clock: Clock }) {
  const { clock } = ports;
  const history = createReleaseHistory(createDocumentClient(), 'RELEASES_TABLE', clock);
  const running = new Map<string, number>();
  const last = new Map<string, number>();
  const inProgress = new Map<string, Release>();
  const log: Released[] = [];

  const recordOf = ({ revision, startedAt }: Release, state: ReleaseState) => ({
    key: keyOf(revision),
    record: { state, revision, template: TEMPLATE, version: revision, startedAt },
  });

  async function end(endpoint: string, release: Release, to: ReleaseState): Promise<void> {
    const { key, record } = recordOf(release, to);
    await history.end(endpoint, { key, record: { ...record, endedAt: clock.now() } });
    inProgress.delete(endpoint);
    log.push({ endpoint, revision: release.revision, to, at: clock.now() });
  }

  const revisionOf = (endpoint: string) => running.get(endpoint) ?? 1;

  return {
    log,
    history,
    /** Returns the release in progress. */
    of: (endpoint: string) => inProgress.get(endpoint),
    /** Returns the revision that a new worker runs. */
    next: (endpoint: string) => inProgress.get(endpoint)?.revision ?? revisionOf(endpoint),
    /** Returns whether workers of the revision take no more jobs, because the release replaces them. */
    replaces: (endpoint: string, revision: number) => revision < revisionOf(endpoint),

    /** Changes the template of the endpoint, and begins the release. */
    async begin(endpoint: string, isBroken: boolean): Promise<void> {
      const revision = (last.get(endpoint) ?? 1) + 1;
      last.set(endpoint, revision);
      const release = { revision, startedAt: clock.now(), isBroken, failures: 0 };
      const change = {
        kind: 'TEMPLATE',
        at: clock.now(),
        template: TEMPLATE,
        version: revision,
        by: releaser,
      } as const;
      await ports.eventHistory.add({ ...change, endpoint, fields: ['imageName'] });
      await history.begin(endpoint, recordOf(release, 'IN_PROGRESS'));
      inProgress.set(endpoint, release);
      log.push({ endpoint, revision, to: 'IN_PROGRESS', at: clock.now() });
    },

    /** A worker of the release is ready: the others are replaced. */
    async proven(endpoint: string, revision: number): Promise<void> {
      const release = inProgress.get(endpoint);
      if (release?.revision !== revision) return;
      running.set(endpoint, revision);
      await end(endpoint, release, 'COMPLETED');
    },

    /** A worker of the release has failed. */
    async failed(endpoint: string, revision: number): Promise<void> {
      const release = inProgress.get(endpoint);
      if (release?.revision !== revision) return;
      release.failures += 1;
      if (release.failures >= FAILURES) await end(endpoint, release, 'ROLLED_BACK');
    },
  };
}
