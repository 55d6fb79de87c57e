/** Runs two deployments on one machine at the same time, each with its own name, port and state directory. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../../packages/emulator/network/ports.ts';
import { call, type LocalService, newStateDir, startService, stopService } from './local-service.ts';

const deployments = ['one', 'two'] as const;
let services: LocalService[];

beforeAll(async () => {
  services = await Promise.all(
    deployments.map(async (deployment) =>
      startService(newStateDir(), { port: await freePort(), args: ['-c', `deployment=${deployment}`] }),
    ),
  );
});
afterAll(async () => {
  await Promise.all((services ?? []).map(stopService));
});

const runOf = (service: LocalService, text: string, key = service.ApiKey) =>
  call({ ...service, ApiKey: key }, 'POST', `${service.JobApiUrl}/echo/runsync`, {
    body: JSON.stringify({ input: { text } }),
  });

describe('two deployments on one machine', () => {
  it('run a job each, at the same time', async () => {
    const answers = await Promise.all(services.map((service, at) => runOf(service, `of ${deployments[at]}`)));
    expect(answers.map(({ json }) => [json.status, json.output])).toEqual([
      ['COMPLETED', { text: 'of one' }],
      ['COMPLETED', { text: 'of two' }],
    ]);
  });

  it("refuse each other's keys, and do not find each other's jobs", async () => {
    const [one, two] = services as [LocalService, LocalService];
    const refused = await runOf(one, 'mine', two.ApiKey);
    expect([refused.status, refused.json.code]).toEqual([401, 'UNAUTHORIZED']);
    const { json } = await call(two, 'POST', `${two.JobApiUrl}/echo/run`, { body: '{"input": {}}' });
    const other = await call(one, 'GET', `${one.JobApiUrl}/echo/status/${json.id}`);
    expect(other.status).toBe(404);
    expect((await call(two, 'GET', `${two.JobApiUrl}/echo/status/${json.id}`)).status).toBe(200);
  });
});
