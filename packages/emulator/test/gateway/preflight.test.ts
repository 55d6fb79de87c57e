/** Tests preflight requests of browsers, which the gateway answers as CDK's `addCorsPreflight` declares. */
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Template } from '../../cloudformation/template.ts';
import { type Resources, type SmallService, startSmallService } from '../small-service.ts';
import { code, FIRST_KEY, gatewayResponse, resources } from './small-api.ts';

const ORIGIN = 'https://a.test';

let service: SmallService | undefined;
afterEach(async () => {
  await service?.stop();
  service = undefined;
});

const header = (name: string) => `method.response.header.${name}`;

const preflight = (integration: object = {}, rest: object = {}): Resources[string] => ({
  Type: 'AWS::ApiGateway::Method',
  Properties: {
    RestApiId: { Ref: 'Api' },
    ResourceId: { Ref: 'Run' },
    HttpMethod: 'OPTIONS',
    ApiKeyRequired: false,
    AuthorizationType: 'NONE',
    Integration: {
      Type: 'MOCK',
      RequestTemplates: { 'application/json': '{ statusCode: 200 }' },
      IntegrationResponses: [
        {
          StatusCode: '204',
          ResponseParameters: {
            [header('Access-Control-Allow-Origin')]: `'${ORIGIN}'`,
            [header('Access-Control-Allow-Methods')]: "'POST'",
          },
        },
      ],
      ...integration,
    },
    MethodResponses: [
      {
        StatusCode: '204',
        ResponseParameters: {
          [header('Access-Control-Allow-Origin')]: true,
          [header('Access-Control-Allow-Methods')]: true,
        },
      },
    ],
    ...rest,
  },
});

async function serve(more: Resources): Promise<void> {
  service = await startSmallService({ Small: { Resources: { ...resources(), ...more } } satisfies Template }, code);
}

const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
  fetch(`${service?.url}${path}`, { method, headers });

describe('a preflight', () => {
  it('is answered from the template, without a key and without a rate limit', async () => {
    await serve({ Preflight: preflight() });
    for (let n = 0; n < 5; n += 1) {
      const response = await ask('OPTIONS', '/v2/echo/run', { Origin: ORIGIN });
      expect(response.status).toBe(204);
      expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN);
      expect(response.headers.get('access-control-allow-methods')).toBe('POST');
      expect(await response.text()).toBe('');
    }
  });

  it('is refused if the template has no preflight method, with CORS headers as for every refusal', async () => {
    const ResponseParameters = { 'gatewayresponse.header.Access-Control-Allow-Origin': `'${ORIGIN}'` };
    await serve({
      Preflight: preflight(),
      Refused: gatewayResponse('DEFAULT_4XX', { ResponseParameters }),
      Throttled: gatewayResponse('THROTTLED', { StatusCode: '429', ResponseParameters }),
    });
    const elsewhere = await ask('OPTIONS', '/v2/nowhere', { Origin: ORIGIN });
    const keyless = await ask('POST', '/v2/echo/run');
    const key = { Authorization: `Allow ${FIRST_KEY}` };
    const [, , throttled] = [
      await ask('POST', '/v2/echo/run', key),
      await ask('POST', '/v2/echo/run', key),
      await ask('POST', '/v2/echo/run', key),
    ];
    expect([elsewhere.status, keyless.status, throttled?.status]).toEqual([403, 401, 429]);
    for (const { headers } of [elsewhere, keyless, throttled as Response])
      expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
  });

  it.each([
    [
      'its template must contain only a status',
      { RequestTemplates: { 'application/json': '{ "statusCode": $x }' } },
      {},
    ],
    [
      'must be a header with a quoted value',
      { IntegrationResponses: [{ StatusCode: '204', ResponseParameters: { [header('A')]: 'context.path' } }] },
      {},
    ],
    ['not declared in its method responses', {}, { MethodResponses: [{ StatusCode: '204' }] }],
  ])('stops the start if its template is not supported: %s', async (sentence, integration, rest) => {
    await expect(serve({ Preflight: preflight(integration, rest) })).rejects.toThrow(sentence);
  });
});
