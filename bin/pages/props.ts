/**
 * The props of endpoints and pools from the schemas of their files, so that an app in TypeScript has the fields, rules
 * and defaults of the files.
 */
import { compile } from 'json-schema-to-typescript';
import * as z from 'zod/mini';
import { poolSchema } from '../../lib/capacity/pool-declaration.ts';
import { declarationSchema } from '../../lib/endpoints/declaration-schema.ts';
import { type FieldText, fieldTexts } from '../../lib/settings/field-text.ts';
import type { GeneratedFiles } from './generator.ts';

/** What the registry of texts and the schema say about a field. */
interface Field extends Partial<FieldText> {
  minimum?: number;
  maximum?: number;
  tsType?: string;
}

/** Characters of a line of a docstring of a nested field, without the indentation and the asterisk. */
const LINE = 110;

/** Removes links to headings of the reference page. */
const plain = (text: string) => text.replaceAll(/\[([^[\]]+)\]\(#[^()]*\)/g, '$1');

/** Returns the text in lines. */
function wrapped(text: string): string {
  const lines: string[] = [];
  for (const word of plain(text).split(' ')) {
    const longer = [...lines.slice(-1), word].join(' ');
    if (lines.length > 0 && longer.length <= LINE) lines.pop();
    lines.push(longer.length <= LINE ? longer : word);
  }
  return lines.join('\n');
}

/** Returns the allowed numbers, or undefined if the schema has no limits of its own. */
function rangeIn({ minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: Field): string | undefined {
  return Math.max(-minimum, maximum) === Number.MAX_SAFE_INTEGER ? undefined : `${minimum} to ${maximum}`;
}

/** Returns the docstring of a field. */
function docOf(field: Field): string {
  const { description = '', unit, condition, without } = field;
  const allowed = field.allowed ?? rangeIn(field);
  const unset = field.default === undefined ? `- ${without}` : JSON.stringify(field.default);
  return [
    wrapped(description),
    ...(allowed === undefined ? [] : [wrapped(`Allowed: ${allowed}${unit === undefined ? '' : ` ${unit}`}.`)]),
    ...(condition === undefined ? [] : [wrapped(condition)]),
    ...(field.default === undefined && without === undefined ? [] : [wrapped(`@default ${unset}`)]),
  ].join('\n');
}

/** Returns the TypeScript of the fields that a file of the schema can have. */
async function propsOf(name: string, schema: z.core.$ZodType, about: string, types: Readonly<Record<string, string>>) {
  const json = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    metadata: fieldTexts,
    override: ({ jsonSchema, path }) => {
      const field = jsonSchema as Field;
      const tsType = path[0] === 'properties' && path.length === 2 ? types[String(path[1])] : undefined;
      if (field.description !== undefined) Object.assign(field, { description: docOf(field) });
      if (tsType !== undefined) Object.assign(field, { tsType });
      delete jsonSchema.minItems;
      delete jsonSchema.maxItems;
    },
  });
  const text = await compile({ ...(JSON.parse(JSON.stringify(json)) as object), description: about }, name, {
    bannerComment: '/** Written by `npm run generate` from the schema of the YAML files. */',
    style: { singleQuote: true, printWidth: 120 },
  });
  return text.replaceAll(/^( +)(\w+\??: )/gm, '$1readonly $2').replaceAll(': string[];', ': readonly string[];');
}

/** The files that `npm run generate` writes. */
export const propsFiles: GeneratedFiles = {
  'lib/endpoints/endpoint-fields.ts': () =>
    propsOf('EndpointFields', declarationSchema([]), 'The fields of a file in `endpoints/`.', { capacity: 'string' }),
  'lib/capacity/pool-fields.ts': () => propsOf('PoolFields', poolSchema, 'The fields of a file in `capacity/`.', {}),
};
