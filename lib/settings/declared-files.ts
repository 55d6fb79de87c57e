/** Reads and checks the declarations in Git, one YAML file each. Each problem is one sentence. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { parseDocument } from 'yaml';
import * as z from 'zod/mini';
import { shown } from '../../core/requests/validation.ts';
import { nearestName } from './nearest.ts';

/** The files have problems. The message has one sentence for each problem. */
export class InvalidDeclarations extends Error {
  override readonly name = 'InvalidDeclarations';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/**
 * Returns the results of all reads.
 * @throws InvalidDeclarations with the problems of all reads that have some
 */
export function readAll<Result>(reads: readonly (() => Result)[]): Result[] {
  const problems: string[] = [];
  const results = reads.flatMap((read) => {
    try {
      return [read()];
    } catch (error) {
      if (!(error instanceof InvalidDeclarations)) throw error;
      problems.push(...error.problems);
      return [];
    }
  });
  if (problems.length > 0) throw new InvalidDeclarations(problems);
  return results;
}

/** One kind of file. The name of a file without its extension is the id of its declaration. */
export interface DeclaredFolder<Schema extends z.ZodMiniObject> {
  /** Path of the folder, relative to the root. */
  readonly folder: string;
  readonly id: Pick<RegExp, 'test'>;
  /** Message that completes the sentence "the file name …". */
  readonly idMust: string;
  readonly schema: Schema;
  /** Names of the nested fields of fields that are mappings. */
  readonly nested?: Readonly<Record<string, readonly string[]>>;
  /**
   * Path of a folder with files of the same names, relative to the root. Each of its files is merged into the file of its
   * name as a JSON merge patch (RFC 7396): mappings are merged, other values and lists are replaced, and null removes.
   */
  readonly overrides?: string | undefined;
}

/** The fields of a kind. */
type Checks<Schema extends z.ZodMiniObject> = Pick<DeclaredFolder<Schema>, 'schema' | 'nested'>;

type Declared<Schema extends z.ZodMiniObject> = z.output<Schema> & { readonly id: string };

/** Returns one sentence for an issue of the schema, or one for each unknown field. */
function sentences<Schema extends z.ZodMiniObject>(
  issue: z.core.$ZodIssue,
  { schema, nested = {} }: Checks<Schema>,
): string[] {
  const fields = Object.keys(schema.shape);
  const field = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const known = nested[field] ?? fields;
    return issue.keys.map((key) => {
      const near = nearestName(key, known);
      const allowed = near === undefined ? `; the fields are ${known.join(', ')}` : `: did you mean ${near}?`;
      return `\`${[...issue.path, key].join('.')}\` is not a field${allowed}`;
    });
  }
  if (issue.code === 'invalid_key') return issue.issues.map(({ message }) => `\`${field}\` ${message}`);
  if (field === '') return [`the file must be a mapping with the keys ${fields.join(', ')}, got ${shown(issue.input)}`];
  return [`\`${field}\` ${issue.message}, got ${shown(issue.input)}`];
}

const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the value with the changes of a JSON merge patch (RFC 7396). */
function merged(value: unknown, patch: unknown): unknown {
  if (!isMapping(patch)) return patch;
  const before = isMapping(value) ? value : {};
  const fields = Object.entries({ ...before, ...patch }).filter(([name]) => patch[name] !== null);
  return Object.fromEntries(
    fields.map(([name, field]) => [name, Object.hasOwn(patch, name) ? merged(before[name], field) : field]),
  );
}

/**
 * Returns the value of a YAML file.
 * @throws InvalidDeclarations if it is not YAML
 */
function valueIn(root: string, file: string): unknown {
  const document = parseDocument(readFileSync(join(root, file), 'utf8'));
  // The first line of the parser's message contains the position. The other lines show the position in the text of
  // the file.
  const [fault] = document.errors.map(({ message }) => message.split(':\n', 1));
  if (fault) throw new InvalidDeclarations([`${file}: the file is not YAML: ${fault}`]);
  return document.toJS();
}

/** Returns the value of a file with its override, and the files that it is from. */
function readValue(root: string, file: string, override: string | undefined): { value: unknown; from: string } {
  const value = valueIn(root, file);
  if (override === undefined || !existsSync(join(root, override))) return { value, from: file };
  const patch = valueIn(root, override);
  if (!isMapping(patch))
    throw new InvalidDeclarations([`${override}: the file must be a mapping of fields, got ${shown(patch)}`]);
  return { value: merged(value, patch), from: `${file} with ${override}` };
}

/**
 * Checks fields, and adds the defaults.
 * @param from what the fields are from, with which each sentence begins
 * @throws InvalidDeclarations
 */
function parsed<Schema extends z.ZodMiniObject>(value: unknown, from: string, kind: Checks<Schema>): z.output<Schema> {
  const result = z.safeParse(kind.schema, value, { reportInput: true });
  if (result.success) return result.data;
  const clauses = result.error.issues.flatMap((issue) => sentences(issue, kind));
  throw new InvalidDeclarations(clauses.map((clause) => `${from}: ${clause}`));
}

/**
 * Checks the fields of a declaration that is not in a file.
 * @param what kind of the declaration, such as `endpoint`
 * @throws InvalidDeclarations
 */
export function declaredBy<Schema extends z.ZodMiniObject>(
  what: string,
  id: string,
  fields: object,
  { id: form, idMust, ...kind }: Checks<Schema> & Pick<DeclaredFolder<Schema>, 'id' | 'idMust'>,
): Declared<Schema> {
  if (!form.test(id)) throw new InvalidDeclarations([`the id of the ${what} ${idMust}, got ${shown(id)}`]);
  return { ...parsed(fields, `${what} ${id}`, kind), id };
}

function readFile<Schema extends z.ZodMiniObject>(
  root: string,
  name: string,
  kind: DeclaredFolder<Schema>,
): Declared<Schema> {
  const file = join(kind.folder, name);
  const { name: id, ext } = parse(name);
  if (ext !== '.yaml') throw new InvalidDeclarations([`${file}: the file name must end in .yaml, got ${shown(ext)}`]);
  if (!kind.id.test(id)) throw new InvalidDeclarations([`${file}: the file name ${kind.idMust}, got ${shown(id)}`]);
  const { value, from } = readValue(root, file, kind.overrides && join(kind.overrides, name));
  return { ...parsed(value, from, kind), id };
}

/** Returns the names of the YAML files in the folder, in the order of their ids. */
function namesIn(root: string, folder: string): string[] {
  const names = globSync('*.{yaml,yml}', { cwd: join(root, folder) });
  // Sorted by id: sorted by file name, `echo-sdk.yaml` would be before `echo.yaml`.
  return names.toSorted((a, b) => parse(a).name.localeCompare(parse(b).name));
}

/** @throws InvalidDeclarations for each override without a file of its name */
function requireFiles(root: string, { folder, overrides }: DeclaredFolder<z.ZodMiniObject>): void {
  if (overrides === undefined) return;
  const unknown = namesIn(root, overrides).filter((name) => !existsSync(join(root, folder, name)));
  if (unknown.length === 0) return;
  throw new InvalidDeclarations(
    unknown.map((name) => `${join(overrides, name)}: there is no ${join(folder, name)} whose fields it could override`),
  );
}

/**
 * Reads all files of the folder, in the order of their ids. Returns an empty list if the folder does not exist.
 * @param root parent of the folder
 * @throws InvalidDeclarations with all problems of all files
 */
export function readDeclaredFiles<Schema extends z.ZodMiniObject>(
  root: string,
  kind: DeclaredFolder<Schema>,
): Declared<Schema>[] {
  const names = namesIn(root, kind.folder);
  const [declarations = []] = readAll([
    () => readAll(names.map((name) => () => readFile(root, name, kind))),
    () => {
      requireFiles(root, kind);
      return [];
    },
  ]);
  return declarations;
}
