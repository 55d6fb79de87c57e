/** The recorded schemas of what `--json` prints: those of the answers in the OpenAPI documents. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const DOCUMENTS = { jobs: 'docs/reference/openapi/jobs.json', management: 'docs/reference/openapi/management.json' };

export type SchemaName = `${keyof typeof DOCUMENTS}#${string}`;

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
for (const [name, file] of Object.entries(DOCUMENTS)) ajv.addSchema(JSON.parse(readFileSync(file, 'utf8')), name);

/** Returns how the value differs from the schema, or an empty list. */
export function problemsOf(schema: SchemaName, value: unknown): readonly string[] {
  const [document, name] = schema.split('#');
  const validate = ajv.getSchema(`${document}#/components/schemas/${name}`);
  if (!validate) throw new Error(`${document} has no schema ${name}.`);
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
