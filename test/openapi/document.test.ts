import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { errorCodes, errorStatuses } from '../../core/openapi/codes.ts';
import { jobsDocument, managementDocument } from '../../core/openapi/document.ts';
import {
  jobRoutes,
  keyOperations,
  managementRoutes,
  type Operation as Named,
  openapiRoute,
  type Route,
} from '../../core/operations/routes.ts';
import { rolesFor } from '../../core/users/role.ts';

interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: object; example?: object }>> };
  readonly responses: Readonly<Record<string, object>>;
  readonly 'x-rate-limit': object;
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

const interfaces = [
  ['jobs', jobsDocument(), jobRoutes],
  ['management', managementDocument(), managementRoutes],
] as const;

describe.each(interfaces)('the description of %s', (name, document, routes: Readonly<Record<string, Route>>) => {
  const paths = document.paths as Paths;

  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate({ ...document });
    expect([valid, errors, validator.version]).toEqual([true, undefined, '3.1']);
  });

  it('equals the file in the repository, which npm run generate writes', () => {
    expect(JSON.parse(readFileSync(`docs/reference/openapi/${name}.json`, 'utf8'))).toEqual(document);
  });

  it('has every route with its methods and limits, and no other', () => {
    const wanted = [...Object.values(routes), openapiRoute].flatMap(({ methods, path, limit }: Route) =>
      methods.map((method) => [`${method} ${path.replace('+}', '}')}`, { requestsPer10Seconds: limit.per10Seconds }]),
    );
    const described = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, each]) => [`${method.toUpperCase()} ${path}`, each['x-rate-limit']]),
    );
    expect(Object.fromEntries(described)).toEqual(Object.fromEntries(wanted));
  });

  it('has no text with the word undefined', () => {
    expect(JSON.stringify(document)).not.toContain('undefined');
  });

  it('names the permission of a key and the groups of users that each operation requires', () => {
    for (const [name, { methods, path, scope }] of Object.entries(routes)) {
      const methodsOfPath = paths[path.replace('+}', '}')];
      for (const method of methods) {
        const description = methodsOfPath?.[method.toLowerCase()]?.description ?? '';
        for (const role of rolesFor(name as Named))
          expect([name, description]).toEqual([name, expect.stringContaining(`\`${role}\``)]);
        const isKeys = keyOperations.includes(name as Named);
        const wanted = scope ?? (isKeys ? `API key that permits \`${name}\`` : 'API key');
        expect([name, description]).toEqual([name, expect.stringContaining(wanted)]);
      }
    }
  });

  it('has an example of every JSON body, which its schema accepts', () => {
    const ajv = new Ajv2020({ strict: false }).addSchema(document, name);
    const bodies = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { requestBody }]) =>
        requestBody ? [{ path, method, requestBody }] : [],
      ),
    );
    expect(bodies.length).toBeGreaterThan(2);
    for (const { path, method, requestBody } of bodies) {
      const pointer = ['paths', path, method, 'requestBody', 'content', 'application/json', 'schema'];
      const escaped = pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')));
      const accepts = ajv.compile({ $ref: `${name}#/${escaped.join('/')}` });
      expect([path, accepts(requestBody.content['application/json']?.example)]).toEqual([path, true]);
    }
  });

  it('has only types for which generators of clients write usable code', () => {
    const objects: Readonly<Record<string, object | undefined>>[] = [];
    JSON.stringify(document, (_, value: unknown) => {
      if (value !== null && typeof value === 'object' && 'type' in value && value.type === 'object')
        objects.push(value as object & Record<string, object>);
      return value;
    });
    for (const object of objects) {
      // Without members, an object would be typed as an empty one.
      expect(object.properties ?? object.additionalProperties).toBeDefined();
      // Members with a default would be typed as required.
      for (const member of Object.values(object.properties ?? {})) expect(member).not.toHaveProperty('default');
    }
    expect(objects.length).toBeGreaterThan(10);
  });

  it('has 401 and 429 for all operations that need a key', () => {
    const keyed = Object.entries(paths).filter(([path]) => path !== openapiRoute.path);
    for (const [, operations] of keyed)
      for (const { responses } of Object.values(operations))
        expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '400', '401', '429', '500']));
  });
});

describe('the codes of errors', () => {
  it('equal those of docs/reference/errors.md, with their statuses', () => {
    const [table = ''] = (readFileSync('docs/reference/errors.md', 'utf8').split('## Responses\n')[1] ?? '').split(
      '\n## ',
    );
    const rows = [...table.matchAll(/^\| `([A-Z_]+)` +\| (\d+) /gm)];
    expect(Object.fromEntries(rows.map(([, code, status]) => [code, Number(status)]))).toEqual(errorStatuses);
    const all = [...table.matchAll(/^\| `([A-Z_]+)` /gm)].map(([, code]) => code);
    expect(new Set(errorCodes)).toEqual(new Set(all));
  });

  it('are the values of `code` of an error in both interfaces, and REQUEST_REFUSED can answer every operation', () => {
    for (const [, { components, paths }] of interfaces) {
      const { schemas } = components as { schemas: { Error: { properties: { code: { enum: string[] } } } } };
      expect(schemas.Error.properties.code.enum).toEqual(errorCodes);
      for (const operations of Object.values(paths as Paths))
        for (const { responses } of Object.values(operations))
          expect(JSON.stringify(responses.default)).toContain('REQUEST_REFUSED');
    }
  });
});

describe('the description of a job', () => {
  const [, { components }] = interfaces[0];
  const ajv = new Ajv2020({ strict: false }).addSchema({ components }, 'jobs');
  const accepts = ajv.compile({ $ref: 'jobs#/components/schemas/Submission' });

  it.each([
    [true, { input: {} }],
    [true, { input: {}, policy: { executionTimeout: 5001, ttl: 10_000, lowPriority: true }, more: 1 }],
    [true, { input: {}, policy: { executionTimeout: 604_800_000, ttl: 604_800_000 } }],
    [false, {}],
    [false, { input: [] }],
    [false, { input: {}, policy: { executionTimeout: 5000 } }],
    [false, { input: {}, policy: { ttl: 9999 } }],
    [false, { input: {}, policy: { ttl: 604_800_001 } }],
    [false, { input: {}, policy: { lowPriority: 'yes' } }],
  ])('validates to %s for %j, as the service does', (answer, body) => {
    expect(accepts(body)).toBe(answer);
  });
});
