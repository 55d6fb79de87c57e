/** Endpoints are declared in Git: `endpoints/<id>.yaml`, one file each. */
import { globSync, readFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { parseDocument } from 'yaml';
import * as z from 'zod/mini';
import { ENDPOINT_ID } from '../core/endpoints/endpoint.ts';
import { shown } from '../core/validation.ts';
import { declarationSchema } from './declaration-schema.ts';
import { httpSchema } from './http-declaration.ts';
import { repository } from './repository.ts';

const FOLDER = 'endpoints';

export type EndpointDeclaration = z.output<ReturnType<typeof declarationSchema>> & {
  /** The file's name: path segment of the job interface, partition key, part of the stack's name. */
  readonly id: string;
};

/** What is wrong with the files, one sentence per problem. */
export class InvalidDeclarations extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

type Read = { readonly declaration: EndpointDeclaration } | { readonly problems: readonly string[] };

/** One issue of the schema in words; an unknown field is an issue of its own. */
function sentences(issue: z.core.$ZodIssue, fields: readonly string[]): string[] {
  const field = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const known = (field === 'http' ? Object.keys(httpSchema.shape) : fields).join(', ');
    return issue.keys.map((key) => `\`${[...issue.path, key].join('.')}\` is not a field; the fields are ${known}`);
  }
  if (issue.code === 'invalid_key') return issue.issues.map(({ message }) => `\`${field}\` ${message}`);
  if (field === '') return [`the file must be a mapping of ${fields.join(', ')}, got ${shown(issue.input)}`];
  return [`\`${field}\` ${issue.message}, got ${shown(issue.input)}`];
}

function readDeclaration(root: string, name: string): Read {
  const file = join(FOLDER, name);
  const problems = (clauses: readonly string[]) => ({ problems: clauses.map((clause) => `${file}: ${clause}`) });
  const { name: id, ext } = parse(name);
  if (ext !== '.yaml') return problems([`the file name must end in .yaml, got ${shown(ext)}`]);
  if (!ENDPOINT_ID.test(id)) {
    const must = 'must be an endpoint id: at most 63 lower-case letters, digits and inner hyphens';
    return problems([`the file name ${must}, got ${shown(id)}`]);
  }

  const document = parseDocument(readFileSync(join(root, file), 'utf8'));
  // The first line of the parser's message names the place; the others draw it.
  const [fault] = document.errors.map(({ message }) => message.split(':\n', 1));
  if (fault) return problems([`the file is not YAML: ${fault}`]);

  const schema = declarationSchema(root);
  const result = z.safeParse(schema, document.toJS(), { reportInput: true });
  if (result.success) return { declaration: { id, ...result.data } };
  const fields = Object.keys(schema.shape);
  return problems(result.error.issues.flatMap((issue) => sentences(issue, fields)));
}

/**
 * Reads every declared endpoint, in the order of their ids.
 * @param root folder that holds `endpoints/`
 * @throws InvalidDeclarations with all problems of all files
 */
export function readDeclarations(root: string = repository): EndpointDeclaration[] {
  const names = globSync('*.{yaml,yml}', { cwd: join(root, FOLDER) });
  // By their names `echo-sdk.yaml` would come before `echo.yaml`.
  const byId = names.toSorted((a, b) => parse(a).name.localeCompare(parse(b).name));
  const read = byId.map((name) => readDeclaration(root, name));
  const problems = read.flatMap((file) => ('problems' in file ? file.problems : []));
  if (problems.length > 0) throw new InvalidDeclarations(problems);
  return read.flatMap((file) => ('declaration' in file ? [file.declaration] : []));
}
