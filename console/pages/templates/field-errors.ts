/** Finds the fields that an error of the service speaks of, so that each sentence stands at its field. */
import type { ApiError } from '../../api/error.ts';
import { type Field, fields } from './fields.ts';

export interface FieldError {
  readonly text: string;
  /** Index in the list of the field, where the service names one. */
  readonly index?: number;
}

export interface FormErrors {
  readonly fields: Readonly<Partial<Record<Field, readonly FieldError[]>>>;
  /** What no field is named in; undefined if every clause has its field. */
  readonly general?: string;
}

export const noErrors: FormErrors = { fields: {} };

const names = Object.keys(fields).join('|');

/** Where a clause begins: "`ports.0` must be …", at the start, after another clause, or after what it is about. */
const CLAUSE = new RegExp(`(?:^|; |: )\`(?<field>${names})(?:\\.(?<index>\\d+))?\` (?=must |has |names )`, 'g');

/** Values as the service shows them: JSON, which is cut with an ellipsis. */
const QUOTED = /"(?:[^"\\]|\\.)*?(?:"|…)/g;

/** The message with its values blanked out: what a user typed begins no clause. */
const withoutValues = (message: string) => message.replace(QUOTED, (value) => ' '.repeat(value.length));

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Refusals without a clause, by their codes. */
const byCode: Readonly<Record<string, Field>> = { TEMPLATE_NAME_TAKEN: 'name' };

/** Fields of references that the user may not add. */
const referenced = (message: string): Field[] => [
  ...(message.includes('registry login') ? (['containerRegistryAuthId'] as const) : []),
  ...(message.includes('the secret ') ? (['env'] as const) : []),
];

function clausesOf(message: string): [Field, FieldError][] {
  const starts = [...withoutValues(message).matchAll(CLAUSE)];
  const about = message.slice(0, starts[0]?.index ?? 0);
  const context = about === '' ? '' : `${about}: `;
  return starts.map((start, position) => {
    const end = starts[position + 1]?.index ?? message.length;
    const text = message.slice(start.index + start[0].length, end).replace(/\.$/, '');
    const { field, index } = start.groups as { field: Field; index?: string };
    const clause = context === '' ? sentence(text) : `${context}${text}`;
    return [field, { text: `${clause}.`, ...(index !== undefined && { index: Number(index) }) }];
  });
}

function collected(entries: readonly (readonly [Field, FieldError])[]): FormErrors['fields'] {
  const byField = Map.groupBy(entries, ([field]) => field);
  return Object.fromEntries([...byField].map(([field, those]) => [field, those.map(([, error]) => error)]));
}

/** @param error a 400, or a 401 for a secret that the user may not name */
export function formErrors({ code, message }: Pick<ApiError, 'code' | 'message'>): FormErrors {
  const known = byCode[code];
  if (known) return { fields: { [known]: [{ text: message }] } };
  if (code === 'SECRETS_NOT_PERMITTED')
    return { fields: collected(referenced(message).map((field) => [field, { text: message }])), general: message };
  const clauses = clausesOf(message);
  return clauses.length === 0 ? { fields: {}, general: message } : { fields: collected(clauses) };
}
