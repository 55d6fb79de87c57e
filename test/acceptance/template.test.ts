import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { changeStack, copyAssembly, type Resources } from './assembly.ts';
import { call, type LocalService, newStateDir, startService, stopService, submit } from './local-service.ts';

let service: LocalService;
const stateDir = newStateDir();
const assembly = join(stateDir, 'changed-assembly');

/** Takes the method of GET /{endpoint}/health out, and the throttle of GET /endpoints. */
function change(resources: Resources): void {
  const health = Object.keys(resources).find((id) => resources[id]?.Properties.PathPart === 'health');
  const method = Object.keys(resources).find(
    (id) =>
      resources[id]?.Type === 'AWS::ApiGateway::Method' &&
      resources[id].Properties.HttpMethod === 'GET' &&
      JSON.stringify(resources[id]).includes(`"${health}"`),
  );
  if (!method) throw new Error('The template has no method for health.');
  delete resources[method];
  for (const { DependsOn } of Object.values(resources))
    if (Array.isArray(DependsOn) && DependsOn.includes(method)) DependsOn.splice(DependsOn.indexOf(method), 1);

  const plan = Object.values(resources).find(({ Type }) => Type === 'AWS::ApiGateway::UsagePlan');
  const stages = plan?.Properties.ApiStages as { Throttle?: Record<string, unknown> }[];
  const throttles = stages.map(({ Throttle }) => Throttle ?? {});
  const throttled = throttles.find((throttle) => '/endpoints/GET' in throttle);
  if (!throttled) throw new Error('The template has no throttle for GET /endpoints.');
  delete throttled['/endpoints/GET'];
}

/** Takes the bucket of the endpoint out of the usage plan, where a deployment has put it and API Gateway has not looked yet. */
function changeBucket(resources: Resources): void {
  const [planKey] = Object.keys(resources).filter((id) => resources[id]?.Type === 'AWS::ApiGateway::UsagePlanKey');
  if (!planKey) throw new Error('The template has no bucket.');
  delete resources[planKey];
  for (const { DependsOn } of Object.values(resources))
    if (Array.isArray(DependsOn) && DependsOn.includes(planKey)) DependsOn.splice(DependsOn.indexOf(planKey), 1);
}

beforeAll(async () => {
  await copyAssembly(assembly);
  changeStack(assembly, 'Platform', change);
  changeStack(assembly, 'Endpoint-echo-sdk', changeBucket);
  service = await startService(stateDir, { args: ['--assembly', assembly] });
}, 120_000);
afterAll(async () => {
  await stopService(service);
});

describe('npm start runs what the template says', () => {
  it('without a method, there is no such operation, and the others are there', async () => {
    const health = await call(service, 'GET', `${service.JobApiUrl}/echo/health`);
    expect(health).toMatchObject({ status: 404, json: { code: 'ROUTE_NOT_FOUND' } });
    expect((await submit(service, '{"input":{}}')).status).toBe(200);
  });

  it('is answered 503 with Retry-After at an endpoint whose rate limits API Gateway does not know yet', async () => {
    const url = `${service.JobApiUrl}/echo-sdk/requests`;
    const headers = { Authorization: `Bearer ${service.ApiKey}` };
    const answer = await fetch(url, { headers });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '10']);
    expect(await answer.json()).toMatchObject({ code: 'NOT_READY', requestId: expect.any(String) });
    // The key is looked at first.
    expect((await fetch(url, { headers: { Authorization: 'Bearer nonsense' } })).status).toBe(401);
  });

  it('without a throttle, nothing is refused for its rate', async () => {
    const url = `${service.ManagementApiUrl}/endpoints`;
    const answers = await Promise.all(Array.from({ length: 60 }, () => call(service, 'GET', url)));
    // A busy machine may fail to answer one of so many; none is refused.
    expect(new Set(answers.map(({ status }) => status))).toContain(200);
    expect(answers.filter(({ status }) => status === 429)).toEqual([]);
  });
});
