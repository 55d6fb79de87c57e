/** `npm run generate`: generates the console's types of requests and responses from the OpenAPI documents. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from 'json-schema-to-typescript';
import { packageFolder } from '../lib/settings/package-files.ts';
import { runGenerator } from './pages/generator.ts';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Schema = { [name: string]: Json };

const SCHEMAS = '#/components/schemas/';
const DEFINITIONS = '#/definitions/';

/** Keywords that restrict a value. A schema without any of these keywords allows every value. */
const RESTRICTING = ['type', '$ref', 'enum', 'const', 'oneOf', 'anyOf', 'allOf', 'properties'];

const isObject = (value: Json): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the schema with references to `definitions`, and `unknown` where every value is allowed. */
function prepared(schema: Schema): Schema {
  const members = Object.entries(schema).map(([name, value]) => {
    if (name === '$ref' && typeof value === 'string') return [name, value.replace(SCHEMAS, DEFINITIONS)] as const;
    if (name === 'properties' && isObject(value))
      return [name, Object.fromEntries(Object.entries(value).map(([key, sub]) => [key, preparedJson(sub)]))] as const;
    if (Array.isArray(value)) return [name, value.map(preparedJson)] as const;
    return [name, name === 'items' || name === 'additionalProperties' ? preparedJson(value) : value] as const;
  });
  const allowsAll = !RESTRICTING.some((keyword) => keyword in schema);
  return { ...Object.fromEntries(members), ...(allowsAll && { tsType: 'unknown' }) };
}

const preparedJson = (value: Json): Json => (isObject(value) ? prepared(value) : value);

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Returns the TypeScript of all schemas of a document. */
async function typesOf(name: string): Promise<string> {
  const document = JSON.parse(readFileSync(join(packageFolder, 'docs/reference/openapi', name), 'utf8')) as Document;
  const { schemas } = document.components;
  const names = Object.keys(schemas);
  const root = {
    type: 'object',
    description: 'All schemas of the interface by name.',
    additionalProperties: false,
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, { $ref: `${DEFINITIONS}${name}` }])),
    definitions: Object.fromEntries(names.map((name) => [name, prepared(schemas[name] ?? {})])),
  };
  return compile(JSON.parse(JSON.stringify(root)), 'Schemas', {
    additionalProperties: false,
    // With these keywords, an array would become a union of tuples, one for each allowed length.
    ignoreMinAndMaxItems: true,
    bannerComment: '/** Written by `npm run generate` from the OpenAPI document of the interface. */',
    style: { singleQuote: true, printWidth: 120 },
  });
}

runGenerator(
  {
    command: 'generate',
    files: {
      'packages/console/api/job-types.ts': () => typesOf('jobs.json'),
      'packages/console/api/management-types.ts': () => typesOf('management.json'),
    },
  },
  process.argv.slice(2),
);
