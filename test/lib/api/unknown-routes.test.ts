/** Tests the responses to paths and methods that an interface does not have. */
import { describe, expect, it } from '@jest/globals';
import { jobRoutes, linkRoute, managementRoutes, openapiRoute } from '../../../core/operations/routes.ts';
import { catchAllPaths } from '../../../lib/api/unknown-routes.ts';
import { method, mockIntegration } from '../../../packages/emulator/gateway/definitions.ts';
import { mockOf } from '../../../packages/emulator/gateway/mock.ts';
import { interfacesOf, resourcesIn, synthesize, synthesizeWith } from '../synthesis.ts';

const ORIGIN = 'https://console.example.com';

interface Resource {
  readonly RestApiId: { readonly Ref: string };
  readonly ParentId: { readonly Ref?: string };
  readonly PathPart: string;
}

describe.each([
  ['without a corsOrigin', {}, []],
  [
    'with a corsOrigin',
    { corsOrigin: ORIGIN },
    [
      ['Access-Control-Allow-Origin', ORIGIN],
      ['Access-Control-Expose-Headers', 'Retry-After, X-Job-Id'],
    ],
  ],
] as const)('an interface %s', (name, context, headersForPages) => {
  const interfaces = interfacesOf(name === 'without a corsOrigin' ? synthesize() : synthesizeWith(context));
  const [jobs, management] = interfaces.map((template) => template.findResources('AWS::ApiGateway::Resource'));
  // The ids of both templates differ.
  const resources = { ...jobs, ...management };
  const all = resourcesIn(interfaces, 'AWS::ApiGateway::Method').map(({ Properties }) => Properties);
  const any = all.filter(({ HttpMethod }) => HttpMethod === 'ANY');

  /** Returns the path of a resource, by its logical id. The root is not a resource. */
  function pathOf(id: string | undefined): string {
    const resource = resources[id ?? '']?.Properties as Resource | undefined;
    return resource ? `${pathOf(resource.ParentId.Ref)}/${resource.PathPart}` : '';
  }

  it('has the method ANY on every path, on the root, and on a path for all other paths', () => {
    const paths = Map.groupBy(any, ({ RestApiId }) => RestApiId.Ref as string);
    const found = [...paths.values()].map((those) => those.map(({ ResourceId }) => pathOf(ResourceId.Ref) || '/'));
    const ofRoutes = [{ ...jobRoutes, link: linkRoute }, managementRoutes].map((routes) =>
      catchAllPaths([...Object.values(routes), openapiRoute]),
    );
    expect(found.map((those) => new Set(those))).toEqual(ofRoutes.map((those) => new Set(those)));
    expect(found.map((those) => those.length)).toEqual(ofRoutes.map((those) => those.length));
    expect(ofRoutes.map((those) => those.filter((path) => path.includes('+')))).toEqual([
      ['/{endpoint}/openai/{path+}', '/{endpoint}/{proxy+}'],
      ['/{proxy+}'],
    ]);
    // Every resource of the template has the method.
    expect(found.flat().filter((path) => path !== '/')).toHaveLength(Object.keys(resources).length);
  });

  it('has fewer resources than the 300 that API Gateway allows', () => {
    expect(Object.keys(resources).length).toBeLessThan(100);
  });

  it('returns 404 and an error body from the template for unknown paths, with and without a key', () => {
    for (const { Integration, ...properties } of any) {
      expect(properties).toMatchObject({ AuthorizationType: 'NONE' });
      expect(properties.ApiKeyRequired ?? false).toBe(false);
      const parsed = method.parse({ ...properties, RestApiId: 'a', ResourceId: 'r', Integration });
      const { mock, only } = mockOf(parsed, mockIntegration.parse(Integration), 'ANY');
      expect(mock.status).toBe(404);
      expect(JSON.parse(mock.body)).toEqual({
        error: 'The interface has no operation `$context.httpMethod` at this path.',
        code: 'ROUTE_NOT_FOUND',
        requestId: '$context.requestId',
      });
      expect(mock.headers).toEqual([
        ['Content-Type', 'application/json'],
        ['Cache-Control', 'private, no-store'],
        ['X-Content-Type-Options', 'nosniff'],
        ...headersForPages,
      ]);
      expect([...(only ?? [])]).toEqual(
        expect.arrayContaining([
          'application/json',
          'application/x-www-form-urlencoded',
          'multipart/form-data',
          'text/plain',
        ]),
      );
    }
  });

  it('limits the requests to each unknown path, for all callers together', () => {
    const stages = resourcesIn(interfaces, 'AWS::ApiGateway::Stage');
    const settings = stages.flatMap<Record<string, unknown>>(({ Properties }) => Properties.MethodSettings);
    const limited = settings.filter(({ HttpMethod }) => HttpMethod === 'ANY');
    expect(limited).toHaveLength(any.length);
    for (const setting of limited)
      expect(setting).toMatchObject({ ThrottlingRateLimit: 10, ThrottlingBurstLimit: 100 });
    expect(limited.map(({ ResourcePath }) => ResourcePath)).toEqual(
      expect.arrayContaining(['/', '/~1{endpoint}~1{proxy+}', '/~1{proxy+}', '/~1{endpoint}~1run']),
    );
  });
});
