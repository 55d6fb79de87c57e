/** The rows of a reference of configuration: one for each field of a schema, with nested fields after their parent. */
import * as z from 'zod/mini';
import type { FieldText } from '../../lib/settings/field-text.ts';
import { code } from '../pages/markdown.ts';

type Schema = z.core.$ZodType;
type Fields = z.ZodMiniObject;

/** The rule of one field, as `z.toJSONSchema` derives it from the schema. */
interface Rule {
  readonly type?: string;
  readonly default?: unknown;
  readonly const?: string | number;
  readonly enum?: readonly (string | number)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Rule;
}

/** A row of the table. All cells are Markdown. */
export interface Row {
  /** Path of the field, such as `http.port`. */
  readonly field: string;
  readonly type: string;
  readonly without: string;
  readonly allowed: string;
  readonly effect: string;
  readonly guide: FieldText['guide'];
}

export interface Texts {
  readonly textOf: (schema: Schema) => FieldText | undefined;
  /** Schemas of the fields of mappings that the schema itself does not contain, by field. */
  readonly nested?: Readonly<Record<string, readonly Fields[]>>;
}

const SECOND = 1_000;
const units = { d: 86_400, h: 3_600, min: 60, s: 1 } as const;

/** Returns milliseconds in the largest unit in which they are a whole number, or in seconds. */
function duration(ms: number): string {
  const seconds = ms / SECOND;
  const [unit, size] = Object.entries(units).find(([, its]) => seconds % its === 0) ?? ['s', 1];
  return `${seconds / size} ${unit}`;
}

const typeNames: Readonly<Record<string, string>> = {
  integer: 'whole number',
  number: 'number',
  string: 'string',
  boolean: 'boolean',
  object: 'mapping',
};

function typeOf(field: string, rule: Rule, { type }: FieldText): string {
  if (type !== undefined) return type;
  if (rule.type === 'array') return rule.items?.type === 'string' ? 'list of strings' : 'list';
  const name = typeNames[rule.type ?? ''];
  if (name === undefined) throw new Error(`The text of ${field} must have a type, because its schema has none.`);
  return name;
}

const valueText = (value: unknown, { unit }: FieldText): string => {
  const text = typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
  return typeof value === 'number' && unit === 'ms' ? `${code(text)} (${duration(value)})` : code(text);
};

function withoutText(field: string, rule: Rule, isRequired: boolean, text: FieldText): string {
  if ('default' in text) return valueText(text.default, text);
  if (text.without !== undefined) return text.without;
  if (rule.default !== undefined) return valueText(rule.default, text);
  if (isRequired) return 'required';
  throw new Error(`The text of ${field} must state what applies without the field.`);
}

function rangeText({ minimum, maximum }: Rule, { unit }: FieldText): string | undefined {
  if (minimum === undefined || maximum === undefined) return undefined;
  const range = [`${minimum} to ${maximum}`, ...(unit === undefined ? [] : [unit])].join(' ');
  return unit === 'ms' ? `${range} (${duration(minimum)} to ${duration(maximum)})` : range;
}

/** Returns what the schema demands of a value with a wrong type: the sentence "must be …". */
function demandOf(field: string, schema: Schema): string {
  const message = z.safeParse(schema, Symbol(field)).error?.issues[0]?.message ?? '';
  if (message.startsWith('must be ')) return message.slice('must be '.length);
  throw new Error(`The text of ${field} must have allowed values, because its schema has none in words.`);
}

function allowedText(field: string, schema: Schema, rule: Rule, text: FieldText): string {
  const values = rule.enum ?? (rule.const === undefined ? undefined : [rule.const]);
  const its =
    text.allowed ??
    (rule.type === 'boolean' ? [true, false].map(String) : values)?.map((value) => code(String(value))).join(', ') ??
    rangeText(rule, text) ??
    demandOf(field, schema);
  return [its, ...(text.condition === undefined ? [] : [text.condition])].join('. ');
}

/** Returns the schema of a mapping without wrappers such as `optional`, or undefined for other schemas. */
function fieldsIn(schema: Schema): Fields | undefined {
  const { def } = schema._zod;
  if ('innerType' in def) return fieldsIn(def.innerType as Schema);
  return def.type === 'object' ? (schema as Fields) : undefined;
}

/**
 * Returns the rows of the fields of a schema, in their order.
 * @param prefix path of the schema, such as `http.`
 * @throws Error for a field without a text, or with an incomplete text
 */
export function rowsOf(schema: Fields, texts: Texts, prefix = ''): Row[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return Object.entries(schema.shape).flatMap(([name, its]) => {
    const field = `${prefix}${name}`;
    const text = texts.textOf(its);
    if (text === undefined) throw new Error(`The schema of ${field} must have a text: register it beside the schema.`);
    const rule = properties[name] as Rule;
    const row: Row = {
      field,
      type: typeOf(field, rule, text),
      without: withoutText(field, rule, required.includes(name), text),
      allowed: allowedText(field, its, rule, text),
      effect: text.description,
      guide: text.guide,
    };
    const inner = fieldsIn(its);
    const nested = texts.nested?.[field] ?? (inner ? [inner] : []);
    const below = nested.flatMap((fields) => rowsOf(fields, texts, `${field}.`));
    // Kinds of a mapping share fields.
    return [row, ...below.filter((each, index) => below.findIndex((other) => other.field === each.field) === index)];
  });
}
