/** Checks responses against the OpenAPI descriptions of this version. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { packageFolder } from '../../lib/settings/package-files.ts';

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: object }>>>>;
}

/** A response and its request. */
export interface Exchange {
  readonly method: string;
  /** Path below the base address. */
  readonly path: string;
  readonly status: number;
  readonly json: unknown;
}

const interfaces = ['jobs', 'management'] as const;
export type Interface = (typeof interfaces)[number];

const FOLDER = join(packageFolder, 'docs/reference/openapi');

export const readDescription = (name: Interface): Described =>
  JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as Described;

const NO_ROUTE = { method: '', path: '', status: 404 };

/** JSON pointers escape slashes, and templates of addresses escape braces. */
const pointer = (...segments: readonly (string | number)[]) =>
  segments.map((segment) => encodeURIComponent(String(segment).replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');

const matcher = (template: string) =>
  new RegExp(
    `^${template
      .replaceAll('.', '\\.')
      .replaceAll('{path}', '.+')
      .replaceAll(/\{\w+\}/g, '[^/]+')}$`,
  );

/** @returns a function that checks a response of the interface and returns its differences from the description */
export function createDescribed(name: Interface): (exchange: Exchange) => string[] {
  const document = readDescription(name);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, name);
  const compiled = new Map<string, ValidateFunction>();
  const validatorAt = (at: string) => {
    const validate = compiled.get(at) ?? ajv.compile({ $ref: `${name}#/${at}` });
    compiled.set(at, validate);
    return validate;
  };
  const paths = Object.keys(document.paths).map((path) => ({ path, matches: matcher(path) }));

  function schemaOf({ method, path, status }: Exchange): string | undefined {
    const [found] = paths.filter(({ matches }) => matches.test(path));
    const operation = found && document.paths[found.path]?.[method.toLowerCase()];
    if (!found || !operation) return status === NO_ROUTE.status ? pointer('components', 'schemas', 'Error') : undefined;
    if (!(status in operation.responses)) return undefined;
    const at = [
      'paths',
      found.path,
      method.toLowerCase(),
      'responses',
      status,
      'content',
      'application/json',
      'schema',
    ];
    return pointer(...at);
  }

  return (exchange) => {
    const { method, path, status, json } = exchange;
    const at = schemaOf(exchange);
    if (at === undefined) return [`${method} ${path} has no described response ${status}: ${JSON.stringify(json)}`];
    const validate = validatorAt(at);
    if (validate(json)) return [];
    const reasons = (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || 'it'} ${message}`);
    return [`${method} ${path} ${status} differs from its description: ${reasons.join('; ')}: ${JSON.stringify(json)}`];
  };
}
