/** Compares limits in the descriptions of the interfaces with what the service accepts. */
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { jobsDocument, managementDocument } from '../../core/openapi/document.ts';
import { cursorOf, minCursorLength } from '../../core/requests/cursor.ts';
import { indexLimits, parseIndex } from '../../core/requests/validation.ts';
import { creationSchema, envSchema } from '../../core/templates/field-rules.ts';
import { flawOf } from '../../core/webhooks/url.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Readonly<Record<string, unknown>>;
}
interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly parameters?: readonly Parameter[] }>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties: Readonly<Record<string, object>> }>>;
  };
}

const documents = [jobsDocument(), managementDocument()] as unknown as readonly Described[];
const parameters = documents
  .flatMap(({ paths }) => Object.values(paths))
  .flatMap((operations) => Object.values(operations))
  .flatMap(({ parameters: own = [] }) => own)
  .filter((parameter) => parameter.in === 'query');

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const [jobs, management] = documents;
/** Returns a check of a member of a body. */
function checkOf(document: Described | undefined, schema: string, member: string): (value: unknown) => boolean {
  const found = document?.components.schemas[schema]?.properties[member];
  if (!found) throw new Error(`${schema} has no member ${member}.`);
  return ajv.compile(found);
}

describe('the parameters of a query', () => {
  it('have a minimum and a maximum if they are numbers', () => {
    const numbers = parameters.filter(({ schema }) => schema.type === 'integer');
    expect(new Set(numbers.map(({ name }) => name))).toEqual(
      new Set(['ttl', 'wait', 'limit', 'from', 'completion', 'release']),
    );
    for (const { name, schema } of numbers)
      expect([name, schema]).toEqual([
        name,
        expect.objectContaining({ minimum: expect.any(Number), maximum: expect.any(Number) }),
      ]);
  });

  it('have the bounds that the service accepts', () => {
    for (const { name, schema } of parameters.filter(({ name }) => ['from', 'completion'].includes(name))) {
      expect(schema).toMatchObject({ minimum: indexLimits.min, maximum: indexLimits.max });
      for (const bound of Object.values(indexLimits)) expect(parseIndex(String(bound), name)).toBe(bound);
      for (const beyond of [indexLimits.min - 1, indexLimits.max + 1])
        expect(() => parseIndex(String(beyond), name)).toThrow(
          `\`${name}\` must be a whole number from 0 to 999999999999999, got`,
        );
    }
  });

  it('have a length and a form if they are cursors', () => {
    const cursors = parameters.filter(({ name }) => name === 'cursor');
    expect(cursors.length).toBeGreaterThan(4);
    const shortest = cursorOf('a', '1');
    expect(shortest).toHaveLength(minCursorLength);
    for (const { schema } of cursors) {
      const accepts = ajv.compile(schema);
      expect([accepts(shortest), accepts(cursorOf('requests', 'x'.repeat(50)))]).toEqual([true, true]);
      for (const wrong of ['', shortest.slice(1), `${shortest}=`, `${shortest} `]) expect(accepts(wrong)).toBe(false);
    }
  });
});

describe('the members of a body', () => {
  const ofTemplate = { name: 'a', imageName: 'a' };
  /** Returns whether the service accepts a new template with this member. */
  const takes = (member: string, value: unknown) =>
    member === 'env'
      ? envSchema.safeParse(value).success
      : creationSchema.safeParse({ ...ofTemplate, [member]: value }).success;

  it.each([
    [
      'ports',
      ['0/http', '1/http', '01/http', '65535/tcp', '65536/tcp', '99999/tcp', '8080', '1/udp'].map((port) => [port]),
    ],
    ['ports', [[], ['80/http', '80/http'], ['80/http', '81/http']]],
    ['name', ['', ' ', 'a', ' a ', 'a\nb', 'a\u0085', 'a\u2028b', 'x'.repeat(191), 'x'.repeat(192)]],
    ['volumeMountPath', ['', 'a', '/', '/a', '/a:b', '/a\u0000', '/a b', `/${'x'.repeat(254)}`, `/${'x'.repeat(255)}`]],
    [
      'env',
      [{}, { A: 'b' }, { '1A': 'b' }, { 'A-B': 'b' }, { A: 1 }, { A: '\0' }, { AWS_REGION: 'b' }, { XAWS_A: 'b' }],
    ],
    [
      'env',
      [{ NODE_OPTIONS: 'b' }, { NODE_OPTION: 'b' }, { AGENT_PORT: 'b' }, { PORT: 'b' }, { ['A'.repeat(256)]: 'b' }],
    ],
    ['dockerStartCmd', [[], ['a'], ['\0'], ['']]],
    ['readme', ['', 'a', '\0', 'x'.repeat(102_400), 'x'.repeat(102_401)]],
  ])('have the form of `%s` that the service accepts', (member, values) => {
    const accepts = checkOf(management, 'NewTemplate', member);
    expect(values.map((value) => [value, accepts(value)])).toEqual(
      values.map((value) => [value, takes(member, value)]),
    );
  });

  it('have the form of `ports` for each number', () => {
    const accepts = checkOf(management, 'NewTemplate', 'ports');
    for (let port = 0; port < 66_000; port += 1)
      if (accepts([`${port}/http`]) !== (port >= 1 && port <= 65_535)) throw new Error(`Port ${port} is wrong.`);
  });

  it('have the form of `webhook` that the service accepts, except for its port and address', () => {
    const accepts = checkOf(jobs, 'Submission', 'webhook');
    for (const url of [
      'https://a.example/hook',
      'HTTP://a.example',
      'https://a.example:8443/b@c?d=e',
      'ftp://a.example',
      'https://',
      'https:///a',
      'https://user@a.example/',
      'https://a.example/#b',
      'https://a.example/b c',
      'https://a.example\\b',
      'a.example',
      '',
    ])
      expect([url, accepts(url)]).toEqual([url, flawOf(url) === undefined]);
  });
});
