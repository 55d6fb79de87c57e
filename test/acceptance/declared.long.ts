/** Tests a change of a declared template in a deployment that locks declarations, until a deployment takes it back. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { changeStack, copyAssembly, type Resources } from './assembly.ts';
import { call, type LocalService, newStateDir, startService, stopService } from './local-service.ts';
import { signInAs } from './user-token.ts';

const TEMPLATE = '/templates/endpoint-echo';
const stateDir = newStateDir();
const assembly = join(mkdtempSync(join(tmpdir(), 'declared-assembly-')), 'assembly');
let service: LocalService;

const start = () => startService(stateDir, { args: ['--assembly', assembly] });

beforeAll(async () => {
  await copyAssembly(assembly);
  changeStack(assembly, 'Management', lock);
  service = await start();
}, 120_000);
afterAll(() => stopService(service));

/** Sets the variable that the setting `declared: locked` sets. */
function lock(resources: Resources): void {
  const update = Object.entries(resources).find(
    ([id, { Type }]) => Type === 'AWS::Lambda::Function' && id.startsWith('ManagementTemplatesUpdate'),
  );
  const environment = update?.[1].Properties.Environment as { Variables: Record<string, unknown> };
  environment.Variables.DECLARED = 'locked';
}

const ask = (method: string, path: string, body?: object, token?: string) =>
  call(service, method, `${service.ManagementApiUrl}${path}`, {
    ...(body && { body: JSON.stringify(body) }),
    ...(token !== undefined && { headers: { Authorization: `Bearer ${token}` } }),
  });

it('refuses an update of a field that a file declares, unless a user gives a reason', async () => {
  const changes = { readme: 'By a client', reason: 'Incident 7' };
  const refused = await ask('POST', `${TEMPLATE}/update`, changes);
  expect([refused.status, refused.json.code]).toEqual([409, 'DECLARED_IN_GIT']);
  expect(refused.json.error).toMatch(
    /^The file `endpoints\/echo\.yaml` declares `readme`: change the file and deploy\. /,
  );

  const { access_token: admin } = await signInAs(service, 'admin');
  const without = await ask('POST', `${TEMPLATE}/update`, { readme: 'By a client' }, admin);
  expect([without.status, without.json.error]).toEqual([409, expect.stringMatching(/ Or send a `reason`\.$/)]);
  const { status, json } = await ask('POST', `${TEMPLATE}/update`, changes, admin);
  const by = { kind: 'user', id: expect.any(String), name: 'admin' };
  const drift = { field: 'readme', declared: expect.any(String), by, at: expect.any(String), reason: 'Incident 7' };
  expect([status, json.drift]).toEqual([200, [drift]]);
  const { json: listed } = await ask('GET', '/endpoints');
  expect(listed.endpoints).toContainEqual(
    expect.objectContaining({ template: expect.objectContaining({ driftedFields: ['readme'] }) }),
  );
});

it('takes the change back in the next deployment that changes the file, which names the change', async () => {
  const outputs = () => {
    const all = JSON.parse(readFileSync(join(stateDir, 'outputs.json'), 'utf8')) as Record<
      string,
      { TakenBack?: string }
    >;
    return Object.entries(all).find(([stack]) => stack.endsWith('Endpoint-echo'))?.[1].TakenBack;
  };
  expect(outputs()).toMatch(/: nothing$/);
  await stopService(service);
  service = await start();
  // The file has not changed.
  expect((await ask('GET', TEMPLATE)).json.readme).toBe('By a client');
  await stopService(service);
  changeStack(assembly, 'Endpoint-echo', (resources) => {
    const [template] = Object.values(resources).filter(({ Type }) => Type === 'Custom::EndpointTemplate');
    if (template) template.Properties.declarationHash = 'another file';
  });
  service = await start();
  const { json } = await ask('GET', TEMPLATE);
  expect(json).not.toHaveProperty('drift');
  expect(json.readme).not.toBe('By a client');
  expect(outputs()).toMatch(/^[\d-]+T[\d:.]+Z: readme, changed by the user admin at [\d-]+T[\d:.]+Z$/);
}, 240_000);
