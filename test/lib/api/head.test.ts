import { describe, expect, it } from '@jest/globals';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { jobRoutes, linkRoute, managementRoutes, openapiRoute, type Route } from '../../../core/operations/routes.ts';
import { method, mockIntegration } from '../../../packages/emulator/gateway/definitions.ts';
import { mockOf } from '../../../packages/emulator/gateway/mock.ts';
import { interfacesOf, resourcesIn, synthesize, synthesizeWith } from '../synthesis.ts';

const ORIGIN = 'https://console.example.com';

interface Properties {
  readonly HttpMethod: string;
  readonly ResourceId: { readonly Ref: string };
  readonly RestApiId: { readonly Ref: string };
  readonly AuthorizationType: string;
  readonly AuthorizerId?: object;
  readonly ApiKeyRequired?: boolean;
  readonly Integration: { readonly Type: string };
}

/** The methods of each path of an interface, by the logical id of the path's resource. */
function methodsOf(template: Template): Map<string, readonly Properties[]> {
  const found = Object.values(template.findResources('AWS::ApiGateway::Method'));
  return Map.groupBy(
    found.map(({ Properties }) => Properties as Properties),
    ({ ResourceId }) => ResourceId.Ref,
  );
}

const named = (those: readonly Properties[] | undefined, name: string) =>
  those?.find(({ HttpMethod }) => HttpMethod === name);

/** Returns the local gateway's response from the template, with the names of its headers in lower case. */
function answerOf({ Integration, ...properties }: Properties) {
  const parsed = method.parse({ ...properties, RestApiId: 'a', ResourceId: 'r', AuthorizerId: 'z', Integration });
  const { mock, only } = mockOf(parsed, mockIntegration.parse(Integration), 'HEAD');
  const headers = Object.fromEntries(mock.headers.map(([name, value]) => [name.toLowerCase(), value]));
  return { status: mock.status, body: mock.body, headers, only };
}

const sorted = (texts: readonly string[]) => texts.toSorted((a, b) => a.localeCompare(b));

describe.each([
  ['without a corsOrigin', interfacesOf(synthesize()), [], {}],
  [
    'with a corsOrigin',
    interfacesOf(synthesizeWith({ corsOrigin: ORIGIN })),
    ['OPTIONS'],
    { 'access-control-allow-origin': ORIGIN },
  ],
] as const)('an interface %s', (_, interfaces, preflight, forPages) => {
  const paths = interfaces.flatMap((template) => [...methodsOf(template).values()]);
  const pairs = paths.flatMap((those) => {
    const [get, head] = [named(those, 'GET'), named(those, 'HEAD')];
    return get && head ? [{ get, head, those }] : [];
  });

  it('adds HEAD to every path that has GET, and to no other path', () => {
    for (const those of paths)
      expect([those, Boolean(named(those, 'HEAD'))]).toEqual([those, Boolean(named(those, 'GET'))]);
    const routes: readonly Route[] = [
      ...Object.values({ ...jobRoutes, ...managementRoutes }),
      openapiRoute,
      openapiRoute,
      linkRoute,
    ];
    expect(pairs).toHaveLength(routes.filter(({ methods }) => methods.includes('GET')).length);
  });

  it('uses the same authorizer for HEAD as for GET', () => {
    for (const { get, head } of pairs)
      expect([head.AuthorizationType, head.AuthorizerId, head.ApiKeyRequired, head.RestApiId]).toEqual([
        get.AuthorizationType,
        get.AuthorizerId,
        get.ApiKeyRequired,
        get.RestApiId,
      ]);
    expect(new Set(pairs.map(({ head }) => JSON.stringify(head.AuthorizerId))).size).toBe(3);
  });

  it('answers HEAD with 405 from the template, with the methods of the path in Allow', () => {
    for (const { head, those } of pairs) {
      const { status, body, headers, only } = answerOf(head);
      expect({ status, body, only }).toEqual({ status: 405, body: '', only: new Set(['application/json']) });
      const { allow = '', ...others } = headers;
      const methods = those.map(({ HttpMethod }) => HttpMethod).filter((name) => !['HEAD', 'ANY'].includes(name));
      expect(sorted(allow.split(', '))).toEqual(sorted(methods));
      expect(methods.includes('OPTIONS')).toBe(preflight.length > 0);
      expect(others).toMatchObject({
        'content-type': 'application/json',
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
        ...forPages,
      });
      expect('access-control-allow-origin' in others).toBe('access-control-allow-origin' in forPages);
    }
  });

  it('applies the rate limit of GET to HEAD', () => {
    const plans = resourcesIn(interfaces, 'AWS::ApiGateway::UsagePlan', {
      Properties: { Description: Match.stringLikeRegexp(', per endpoint\\.$') },
    });
    const stages = plans.flatMap<{ Throttle: object }>(({ Properties }) => Properties.ApiStages);
    const throttles: Record<string, object> = Object.assign({}, ...stages.map(({ Throttle }) => Throttle));
    const gets = Object.keys(throttles).filter((name) => name.endsWith('/GET'));
    expect(gets).toHaveLength(pairs.filter(({ head }) => head.ApiKeyRequired).length);
    for (const name of gets) expect([name, throttles[name.replace(/GET$/, 'HEAD')]]).toEqual([name, throttles[name]]);
  });
});
