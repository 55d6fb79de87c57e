import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { App } from 'aws-cdk-lib';
import { Match } from 'aws-cdk-lib/assertions';
import { jobRoutes, linkRoute, managementRoutes, openapiRoute, type Route } from '../../../core/operations/routes.ts';
import { waitingOperations } from '../../../core/operations/table.ts';
import { corsOriginOf } from '../../../lib/api/cors.ts';
import { addChecks } from '../../../lib/deployment/checks.ts';
import { method, mockIntegration } from '../../../packages/emulator/gateway/definitions.ts';
import { mockOf } from '../../../packages/emulator/gateway/mock.ts';
import { onlyContainer } from '../front-door/template.ts';
import {
  createApp,
  interfacesOf,
  resourcesIn,
  stackOf,
  synthesize,
  synthesizeWith,
  templatesOnly,
} from '../synthesis.ts';

const ORIGIN = 'https://console.example.com';
/** All routes, with the route of each interface's description. */
const routes = [...Object.values({ ...jobRoutes, ...managementRoutes }), openapiRoute, openapiRoute];
/** The methods of each path of both interfaces. */
const paths = [{ ...jobRoutes, link: linkRoute }, managementRoutes].flatMap((those) => {
  const its: Route[] = [...Object.values(those), openapiRoute];
  const byPath = Map.groupBy(its, ({ path }) => path);
  return [...byPath.values()].map((sharing) => sharing.flatMap(({ methods }) => methods));
});

const originOf = (corsOrigin: unknown) => corsOriginOf(new App({ context: { corsOrigin } }));

describe('web pages of another origin', () => {
  it('are not allowed to call the interfaces by default', () => {
    const stacks = synthesize();
    const preflight = { Properties: { HttpMethod: 'OPTIONS' } };
    expect(resourcesIn(interfacesOf(stacks), 'AWS::ApiGateway::Method', preflight)).toEqual([]);
    for (const name of ['Platform', 'Management'])
      expect(stackOf(stacks, name).text).not.toMatch(/Access-Control|CORS_ORIGIN/);
  });

  it.each([ORIGIN, '*', 'http://localhost:3000', undefined, ''])(
    'can be allowed by the setting %j, unless it is empty or missing',
    (origin) => {
      expect(originOf(origin)).toBe(origin || undefined);
    },
  );

  it.each([
    `${ORIGIN}/`,
    `${ORIGIN}:443`,
    'console.example.com',
    'null',
    'https://*.example.com',
    `${ORIGIN}, ${ORIGIN}`,
    "https://a'b",
    [ORIGIN],
    7,
    'ftp://a.test',
  ])('cannot be allowed by the setting %j, which is not one origin', (origin) => {
    expect(() => originOf(origin)).toThrow('must be one origin such as');
  });

  describe('if the setting allows their origin,', () => {
    const interfaces = interfacesOf(synthesizeWith({ corsOrigin: ORIGIN }));
    const [platform] = interfaces;
    const preflights = resourcesIn(interfaces, 'AWS::ApiGateway::Method', {
      Properties: { HttpMethod: 'OPTIONS' },
    }).map(({ Properties }) => Properties);

    /** Whether the resource is for OpenAI clients, which send additional headers. */
    const isOpenAi = ({ Ref }: { readonly Ref: string }) =>
      platform.findResources('AWS::ApiGateway::Resource')[Ref]?.Properties.PathPart === '{path+}';

    it('can send a preflight to every path without a key, for all methods of the path', () => {
      expect(preflights).toHaveLength(paths.length);
      for (const { AuthorizationType, ApiKeyRequired, Integration, ResourceId } of preflights) {
        expect([AuthorizationType, ApiKeyRequired ?? false, Integration.Type]).toEqual(['NONE', false, 'MOCK']);
        const [{ StatusCode, ResponseParameters }] = Integration.IntegrationResponses;
        expect(StatusCode).toBe('204');
        expect(ResponseParameters).toMatchObject({
          'method.response.header.Access-Control-Allow-Origin': `'${ORIGIN}'`,
          'method.response.header.Access-Control-Allow-Headers': isOpenAi(ResourceId)
            ? "'Authorization,*'"
            : "'Authorization,Content-Type,Idempotency-Key,traceparent'",
        });
      }
      const allowed = preflights.map(
        ({ Integration }) =>
          Integration.IntegrationResponses[0].ResponseParameters['method.response.header.Access-Control-Allow-Methods'],
      );
      const sorted = (texts: readonly string[]) => texts.toSorted((a, b) => a.localeCompare(b));
      expect(sorted(allowed)).toEqual(sorted(paths.map((methods) => `'${methods.join(',')}'`)));
    });

    it('get preflight responses from the local gateway', () => {
      for (const { Integration, MethodResponses } of preflights) {
        const declared = { RestApiId: 'a', ResourceId: 'r', HttpMethod: 'OPTIONS', AuthorizationType: 'NONE' };
        const parsed = method.parse({ ...declared, Integration, MethodResponses });
        const { mock } = mockOf(parsed, mockIntegration.parse(Integration), 'The preflight');
        expect(mock.status).toBe(204);
        expect(mock.headers).toContainEqual(['Access-Control-Allow-Origin', ORIGIN]);
      }
    });

    it('can read all responses of the gateway, the functions and the ingress', () => {
      const responses = resourcesIn(interfaces, 'AWS::ApiGateway::GatewayResponse');
      expect(responses.length).toBeGreaterThan(30);
      for (const { Properties } of responses)
        expect(Properties.ResponseParameters).toMatchObject({
          'gatewayresponse.header.Access-Control-Allow-Origin': `'${ORIGIN}'`,
          'gatewayresponse.header.Access-Control-Expose-Headers': "'Retry-After, X-Job-Id'",
        });
      const knowing = resourcesIn(interfaces, 'AWS::Lambda::Function', {
        Properties: { Environment: { Variables: Match.objectLike({ CORS_ORIGIN: ORIGIN }) } },
      });
      expect(knowing).toHaveLength(routes.length - waitingOperations.length);
      const { Environment } = onlyContainer(platform);
      expect(Environment).toContainEqual({ Name: 'CORS_ORIGIN', Value: ORIGIN });
    });

    it('are supported without violating an AWS Solutions rule', () => {
      const outdir = mkdtempSync(join(tmpdir(), 'cors-'));
      try {
        const app = createApp(outdir, [], { ...templatesOnly, corsOrigin: ORIGIN });
        addChecks(app);
        expect(() => app.synth()).not.toThrow();
      } finally {
        rmSync(outdir, { recursive: true });
      }
    });
  });
});
