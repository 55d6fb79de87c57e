/** Creates ports whose items are the same in each run: fixed time, ids and keys, over empty emulators. */

import { createDocumentClient } from '../../aws/clients.ts';
import { type Ports, portsWith } from '../../aws/ports.ts';
import { createReleaseHistory } from '../../aws/releases/history.ts';
import { createDeclaredPorts } from '../../aws/templates/ports.ts';
import { createWebhookSecrets } from '../../aws/webhooks/secrets.ts';
import { createPoolStates } from '../../aws/workers/pool-states.ts';
import type { PoolStates } from '../../core/fleet/pool.ts';
import { jobId, type NewJobId } from '../../core/jobs/id.ts';
import { record } from '../../core/ledger/record.ts';
import type { ReleaseHistory } from '../../core/releases/history.ts';
import type { DeclaredPorts } from '../../core/templates/declare.ts';
import type { WebhookSecrets } from '../../core/webhooks/signing.ts';
import { type EmulatedDeployment, MovedClock, startEmulatedDeployment } from '../support/emulated-deployment.ts';
import { startKeyServer } from '../support/key-server.ts';
import { recordServices } from '../support/recorded-services.ts';

/** A time in the future, because the emulators remove expired items by their own clock. */
export const BEGIN = Date.UTC(2040, 0, 1);

/** The 32-byte key that encrypted the secrets in the recordings. */
const KEY = Buffer.alloc(32, 'recorded items').toString('base64');

export interface Stage {
  readonly emulated: EmulatedDeployment;
  readonly ports: Ports;
  readonly declared: DeclaredPorts;
  readonly poolStates: PoolStates;
  readonly releases: ReleaseHistory;
  readonly webhookSecrets: WebhookSecrets;
  /** Lets the ledger count the changes of the jobs table since the last call. */
  countChanges(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts the deployment.
 * @param now milliseconds since the epoch
 * @param past first number for ids, above all recorded numbers
 */
export async function startStage({ now, past } = { now: BEGIN, past: 0 }): Promise<Stage> {
  const clock = new MovedClock(now);
  const emulated = await startEmulatedDeployment(clock);
  const keys = await startKeyServer({ secrets: KEY });
  process.env.AWS_ENDPOINT_URL_KMS = keys.url;
  let jobs = past;
  let changes = past;
  const ports = portsWith(emulated.ports, {
    newJobId(...[kind, at]: Parameters<NewJobId>) {
      jobs += 1;
      return jobId(kind, at, new Uint8Array(32).fill(jobs));
    },
  });
  const recording = portsWith(ports, { services: recordServices() });
  const documents = createDocumentClient();
  // The emulator's stream might still contain changes of the previous test file's table.
  await emulated.changes();
  return {
    emulated,
    ports,
    declared: createDeclaredPorts(clock),
    poolStates: createPoolStates(documents, 'ENDPOINTS_TABLE'),
    releases: createReleaseHistory(documents, 'RELEASES_TABLE', clock),
    webhookSecrets: createWebhookSecrets(documents, 'SIGNING_TABLE', clock),
    async countChanges() {
      for (const change of await emulated.changes()) {
        changes += 1;
        // Sequence numbers of the stream differ in each run.
        await record(recording, [{ ...change, sequence: String(changes).padStart(21, '0') }]);
      }
    },
    async stop() {
      await keys.stop();
      await emulated.stop();
    },
  };
}
