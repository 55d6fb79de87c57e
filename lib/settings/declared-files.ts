/** Reads and checks the declarations in Git, one YAML file each. Each problem is one sentence. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, parse } from 'node:path';
import { parseDocument } from 'yaml';
import * as z from 'zod/mini';
import { shown } from '../../core/validation.ts';

/** The folder of this repository. Assets are built from it, regardless of the working directory. */
export const repository = dirname(dirname(import.meta.dirname));

/** The files have problems. The message has one sentence for each problem. */
export class InvalidDeclarations extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
  }
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
}

type Declared<Schema extends z.ZodMiniObject> = z.output<Schema> & { readonly id: string };

type Read<Schema extends z.ZodMiniObject> =
  | { readonly declaration: Declared<Schema> }
  | { readonly problems: readonly string[] };

/** Returns one sentence for an issue of the schema, or one for each unknown field. */
function sentences<Schema extends z.ZodMiniObject>(
  issue: z.core.$ZodIssue,
  { schema, nested = {} }: DeclaredFolder<Schema>,
): string[] {
  const fields = Object.keys(schema.shape);
  const field = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const known = (nested[field] ?? fields).join(', ');
    return issue.keys.map((key) => `\`${[...issue.path, key].join('.')}\` is not a field; the fields are ${known}`);
  }
  if (issue.code === 'invalid_key') return issue.issues.map(({ message }) => `\`${field}\` ${message}`);
  if (field === '') return [`the file must be a mapping with the keys ${fields.join(', ')}, got ${shown(issue.input)}`];
  return [`\`${field}\` ${issue.message}, got ${shown(issue.input)}`];
}

function readFile<Schema extends z.ZodMiniObject>(
  root: string,
  name: string,
  kind: DeclaredFolder<Schema>,
): Read<Schema> {
  const file = join(kind.folder, name);
  const problems = (clauses: readonly string[]) => ({ problems: clauses.map((clause) => `${file}: ${clause}`) });
  const { name: id, ext } = parse(name);
  if (ext !== '.yaml') return problems([`the file name must end in .yaml, got ${shown(ext)}`]);
  if (!kind.id.test(id)) return problems([`the file name ${kind.idMust}, got ${shown(id)}`]);

  const document = parseDocument(readFileSync(join(root, file), 'utf8'));
  // The first line of the parser's message contains the position. The other lines show the position in the text of
  // the file.
  const [fault] = document.errors.map(({ message }) => message.split(':\n', 1));
  if (fault) return problems([`the file is not YAML: ${fault}`]);

  const result = z.safeParse(kind.schema, document.toJS(), { reportInput: true });
  if (result.success) return { declaration: { ...result.data, id } };
  return problems(result.error.issues.flatMap((issue) => sentences(issue, kind)));
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
  const names = globSync('*.{yaml,yml}', { cwd: join(root, kind.folder) });
  // Sorted by id: sorted by file name, `echo-sdk.yaml` would be before `echo.yaml`.
  const byId = names.toSorted((a, b) => parse(a).name.localeCompare(parse(b).name));
  const read = byId.map((name) => readFile(root, name, kind));
  const problems = read.flatMap((file) => ('problems' in file ? file.problems : []));
  if (problems.length > 0) throw new InvalidDeclarations(problems);
  return read.flatMap((file) => ('declaration' in file ? [file.declaration] : []));
}
