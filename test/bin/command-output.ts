/** Compares what commands print with their recorded schemas, `docs/reference/command-output.schema.json`. */
import { readFileSync } from 'node:fs';
import { expect } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

const SCHEMA = 'docs/reference/command-output.schema.json';
const { $defs } = JSON.parse(readFileSync(SCHEMA, 'utf8')) as { $defs: Readonly<Record<string, object>> };

/** Names of the commands whose output is recorded. */
export const recordedCommands: readonly string[] = Object.keys($defs);

const ajv = new Ajv2020({ allErrors: true, strict: false });
formats.default(ajv);
ajv.addSchema({ $defs }, 'output');

/**
 * Returns the JSON that a command has printed, which must be as recorded.
 * @param command such as `keys create`
 */
export function parseOutput<Output>(command: string, text: string): Output {
  const output: unknown = JSON.parse(text);
  const validate = ajv.getSchema(`output#/$defs/${encodeURIComponent(command)}`);
  if (!validate) throw new Error(`${SCHEMA} has no output of ${command}.`);
  validate(output);
  expect({ command, errors: validate.errors }).toEqual({ command, errors: null });
  return output as Output;
}
