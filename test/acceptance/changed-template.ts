/** Tests `npm start` of stacks without parts of the API's definition. `permissions.test.ts` runs these tests. */
import { describe, expect, it } from '@jest/globals';
import { changeStack, type Resources } from './assembly.ts';
import { call, type LocalService, submit } from './local-service.ts';

/** Removes the method POST /{endpoint}/purge-queue. */
function removeMethod(resources: Resources): void {
  const path = Object.keys(resources).find((id) => resources[id]?.Properties.PathPart === 'purge-queue');
  const method = Object.keys(resources).find(
    (id) =>
      resources[id]?.Type === 'AWS::ApiGateway::Method' &&
      resources[id].Properties.HttpMethod === 'POST' &&
      JSON.stringify(resources[id]).includes(`"${path}"`),
  );
  if (!method) throw new Error('The template has no method for purge-queue.');
  delete resources[method];
  for (const { DependsOn } of Object.values(resources))
    if (Array.isArray(DependsOn) && DependsOn.includes(method)) DependsOn.splice(DependsOn.indexOf(method), 1);
}

/** Removes the throttle of GET /endpoints. */
function removeThrottle(resources: Resources): void {
  const plan = Object.values(resources).find(({ Type }) => Type === 'AWS::ApiGateway::UsagePlan');
  const stages = plan?.Properties.ApiStages as { Throttle?: Record<string, unknown> }[];
  const throttles = stages.map(({ Throttle }) => Throttle ?? {});
  const throttled = throttles.find((throttle) => '/endpoints/GET' in throttle);
  if (!throttled) throw new Error('The template has no throttle for GET /endpoints.');
  delete throttled['/endpoints/GET'];
}

/** Removes the endpoint's rate limit from the usage plan, as if API Gateway had not read it yet. */
function changeBucket(resources: Resources): void {
  const planKeys = Object.values(resources).find(({ Type }) => Type === 'Custom::UsagePlanKeys');
  if (!planKeys) throw new Error('The template adds no key to a usage plan.');
  (planKeys.Properties.keys as unknown[]).shift();
}

/** Changes the stacks of the assembly. */
export function changeTemplates(assembly: string): void {
  changeStack(assembly, 'Platform', removeMethod);
  changeStack(assembly, 'Management', removeThrottle);
  changeStack(assembly, 'Endpoint-echo-sdk', changeBucket);
}

/**
 * Declares the tests.
 * @param running the service that runs the changed stacks, available when tests run
 */
export function describeChangedTemplates(running: () => LocalService): void {
  describe('npm start with a changed template', () => {
    it('does not serve an operation that has no method in the template, and serves all others', async () => {
      const service = running();
      const purge = await call(service, 'POST', `${service.JobApiUrl}/echo/purge-queue`);
      expect(purge).toMatchObject({ status: 404, json: { code: 'ROUTE_NOT_FOUND' } });
      expect((await submit(service, '{"input":{}}')).status).toBe(200);
    });

    it('answers 503 with Retry-After for an endpoint whose rate limits API Gateway has not loaded yet', async () => {
      const service = running();
      const url = `${service.JobApiUrl}/echo-sdk/requests`;
      const headers = { Authorization: `Bearer ${service.ApiKey}` };
      const answer = await fetch(url, { headers });
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '10']);
      expect(await answer.json()).toMatchObject({ code: 'NOT_READY', requestId: expect.any(String) });
      // The service checks the key first.
      expect((await fetch(url, { headers: { Authorization: 'Bearer nonsense' } })).status).toBe(401);
    });

    it('does not limit the rate of an operation that has no throttle in the template', async () => {
      const service = running();
      const url = `${service.ManagementApiUrl}/endpoints`;
      const answers = await Promise.all(Array.from({ length: 60 }, () => call(service, 'GET', url)));
      // A busy machine can fail to answer some of these requests. The rate limit refuses none of them.
      expect(new Set(answers.map(({ status }) => status))).toContain(200);
      expect(answers.filter(({ status }) => status === 429)).toEqual([]);
    });
  });
}
