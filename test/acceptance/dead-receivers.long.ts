/**
 * Tests that dead receivers do not delay deliveries to other receivers. Runs more and larger rounds than
 * `webhooks.test.ts`.
 */
import { afterAll, beforeAll } from '@jest/globals';
import { sharedAssembly } from './assembly.ts';
import { type LocalService, newStateDir, startService, stopService, submit } from './local-service.ts';
import { describeDeadReceivers } from './webhooks/dead-receivers.ts';
import { type Receivers, startReceivers } from './webhooks/receivers.ts';

let service: LocalService;
let receivers: Receivers;

beforeAll(async () => {
  receivers = await startReceivers();
  service = await startService(newStateDir(), { args: ['--assembly', await sharedAssembly()] });
}, 120_000);
afterAll(async () => {
  await stopService(service);
  receivers.stop();
});

async function submitted(path: string): Promise<string> {
  const body = JSON.stringify({ input: {}, webhook: `${receivers.url}${path}` });
  const { status, json, text } = await submit(service, body);
  if (status !== 200) throw new Error(`The job with the receiver ${path} was answered ${status}: ${text}`);
  return String(json.id);
}

describeDeadReceivers({ jobs: 30, repeats: 5, receivers: () => receivers, submitted });
