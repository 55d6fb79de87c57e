/** Schemas of the HTTP interfaces as text and tables. */
import type { Schema } from './http-document.ts';
import { code, joined, table } from './markdown.ts';

const nameOf = ({ $ref = '' }: Schema) => $ref.split('/').at(-1) ?? '';

/** Returns the heading of a schema. Its words are also its anchor, on GitHub and in the site. */
export const headingOf = (name: string): string => `${code(name)} object`;

const linkTo = (name: string) => `[${code(name)}](#${name.toLowerCase()}-object)`;

/** Returns the type of a value, with links to the schemas of objects. */
export function typeOf(schema: Schema): string {
  if (schema.$ref) return linkTo(nameOf(schema));
  if (schema.oneOf) return [...new Set(schema.oneOf.map(typeOf))].join(' or ');
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.format === 'date-time') return 'string, a time in ISO 8601';
  const types = [schema.type ?? 'any JSON value'].flat();
  if (types[0] !== 'array' || !schema.items) return types.join(' or ');
  const of = typeOf(schema.items);
  return `array of ${schema.items.$ref ? of : `${of}s`}`;
}

/** Returns the bounds of a number or a length, as in "1 to 100 characters", "at least 1" or "not empty". */
function bounds(unit: string, min: number | undefined, max: number | undefined): string[] {
  const [from, to] = [min, max].map((bound) => bound?.toLocaleString('en'));
  const of = unit && ` ${unit}`;
  if (from !== undefined && to !== undefined) return [`${from} to ${to}${of}`];
  if (to !== undefined) return [`at most ${to}${of}`];
  // Every count is at least 0, so this bound says nothing.
  if (from === undefined || min === 0) return [];
  return unit ? ['not empty'] : [`at least ${from}`];
}

/** Returns the allowed values and the default of a value. */
export function limitsOf(schema: Schema): string[] {
  const values = schema.enum ?? schema.items?.enum;
  const pattern = schema.pattern ?? schema.items?.pattern;
  const min = schema.exclusiveMinimum === undefined ? schema.minimum : schema.exclusiveMinimum + 1;
  const { default: usual } = schema;
  return [
    ...(values ? [`one of ${values.map((value) => code(String(value))).join(', ')}`] : []),
    ...bounds('', min, schema.maximum),
    ...bounds('characters', schema.minLength, schema.maxLength),
    ...bounds('elements', schema.minItems, schema.maxItems),
    ...bounds('members', undefined, schema.maxProperties),
    ...(pattern === undefined ? [] : [`matches ${code(pattern)}`]),
    ...(usual === undefined ? [] : [`default ${code(JSON.stringify(usual))}`]),
  ];
}

/** Returns the description of a value and its limits, as sentences. */
export function meaningOf(schema: Schema): string {
  const limits = limitsOf(schema);
  const allowed = limits.join('; ');
  return [schema.description, allowed && `${allowed.charAt(0).toUpperCase()}${allowed.slice(1)}.`]
    .filter(Boolean)
    .join(' ');
}

type Row = readonly [field: string, type: string, required: string, meaning: string];

export type Schemas = Readonly<Record<string, Schema>>;

/** Returns the rows of an object's members and of the members of objects within it. */
function rowsOf(schema: Schema, schemas: Schemas, prefix = ''): Row[] {
  const { properties = {}, required = [] } = schema;
  const own = Object.entries(properties).flatMap(([name, value]) => {
    const field = `${prefix}${name}`;
    const meaning = value.$ref ? (schemas[nameOf(value)]?.description ?? '') : meaningOf(value);
    const row: Row = [code(field), typeOf(value), required.includes(name) ? 'yes' : 'no', meaning];
    return [row, ...rowsOf(value, schemas, value.items?.properties ? field : `${field}.`)];
  });
  return schema.items?.properties ? [...own, ...rowsOf(schema.items, schemas, `${prefix}[].`)] : own;
}

/** Returns the table of the fields of an object or of a list of objects, or no text for other schemas. */
export const fieldsOf = (schema: Schema, schemas: Schemas): string =>
  table(['field', 'type', 'required', 'meaning'], rowsOf(schema, schemas));

/** Returns the section of one of the schemas of a document. */
export function schemaSection(name: string, schema: Schema, schemas: Schemas): string {
  const kinds = schema.oneOf?.map((each) => `- ${typeOf(each)}`).join('\n') ?? '';
  return joined([
    `### ${headingOf(name)}`,
    schema.description ?? '',
    kinds && joined(['One of:', kinds]),
    fieldsOf(schema, schemas),
  ]);
}
