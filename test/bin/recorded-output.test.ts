/** Tests that the recorded schemas of what commands print allow nothing else, and that every command has one. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { binaryCommands } from '../../bin/pages/command-tree.ts';
import { callingCommands } from '../acceptance/command-line/calls.ts';
import { recordedCommands } from './command-output.ts';

type Schema = Readonly<Record<string, unknown>>;

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;

/** Values of fields of an endpoint, which can be anything. */
const ANY_VALUE = ['validate.overridden.value', 'validate.overridden.without'];

/** Returns the schemas below this one, with their paths. */
function partsOf(schema: Schema, path: string): [path: string, schema: Schema][] {
  const { properties, items, additionalProperties, oneOf = [], $defs = {} } = schema;
  const named = [$defs, properties ?? {}].filter(isSchema).flatMap(Object.entries);
  const unnamed = [items, additionalProperties, ...(oneOf as readonly unknown[])].filter(isSchema);
  const below = [...named.map(([name, part]) => [`${path}.${name}`, part]), ...unnamed.map((part) => [path, part])];
  return below.flatMap(([at, part]) => [[at, part], ...partsOf(part as Schema, at as string)] as [string, Schema][]);
}

describe('docs/reference/command-output.schema.json', () => {
  const root = JSON.parse(readFileSync('docs/reference/command-output.schema.json', 'utf8')) as Schema;
  const parts = partsOf(root, '').map(([path, schema]) => [path.slice(1), schema] as const);

  it('allows only known members in objects', () => {
    const open = parts.filter(
      ([, { type, additionalProperties }]) =>
        type === 'object' && !(additionalProperties === false || isSchema(additionalProperties)),
    );
    expect(open.map(([path]) => path)).toEqual([]);
  });

  it('restricts every other value', () => {
    const loose = parts.filter(
      ([, schema]) => !['type', '$ref', 'enum', 'const', 'oneOf'].some((word) => word in schema),
    );
    expect(loose.map(([path]) => path)).toEqual(ANY_VALUE);
  });
});

describe('a command with --json', () => {
  /**
   * The schema of `verify` is a file of its own, `command-line.long.ts` makes templates, and the rows of the contract
   * resend webhooks, whose deliveries fail only after minutes.
   */
  const elsewhere = ['verify', 'templates create', 'webhooks resend'];
  const known = [...recordedCommands, ...callingCommands.map(({ name }) => name), ...elsewhere];
  const commands = binaryCommands().filter(({ command }) => command.options.some(({ long }) => long === '--json'));

  it.each(commands.map(({ name }) => name))('has a recorded output: %s', (name) => {
    expect(known).toContain(name);
  });
});
