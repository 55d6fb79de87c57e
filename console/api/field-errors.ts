/** Finds the fields that an error of the service names, so that a form shows each sentence at its field. */

export interface FieldError {
  readonly text: string;
  /** Index in the list of the field, where the service names one. */
  readonly index?: number;
}

export interface FormErrors {
  /** By the names of the fields. */
  readonly fields: Readonly<Record<string, readonly FieldError[] | undefined>>;
  /** The clauses that name no field; undefined if each names one. */
  readonly general?: string;
}

export const noErrors: FormErrors = { fields: {} };

/** Values as the service shows them: JSON, which is cut with an ellipsis. */
const QUOTED = /"(?:[^"\\]|\\.)*?(?:"|…)/g;

/** The message with its values blanked out: text that a user typed must not begin a clause. */
const withoutValues = (message: string) => message.replace(QUOTED, (value) => ' '.repeat(value.length));

/** Where a clause begins: "`ports.0` must be …", at the start, after another clause, or after its subject. */
const clauseOf = (names: readonly string[]) =>
  new RegExp(`(?:^|; |: )\`(?<field>${names.join('|')})(?:\\.(?<index>\\d+))?\` (?=must |has |names )`, 'g');

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

type Entry = readonly [field: string, error: FieldError];

function clausesIn(message: string, names: readonly string[]): Entry[] {
  const starts = [...withoutValues(message).matchAll(clauseOf(names))];
  const about = message.slice(0, starts[0]?.index ?? 0);
  return starts.map((start, position) => {
    const end = starts[position + 1]?.index ?? message.length;
    const text = message.slice(start.index + start[0].length, end).replace(/\.$/, '');
    const { field, index } = start.groups as { field: string; index?: string };
    const clause = about === '' ? sentence(text) : `${about}: ${text}`;
    return [field, { text: `${clause}.`, ...(index !== undefined && { index: Number(index) }) }];
  });
}

/** The errors of each field, in the order of the message. */
export function byField(entries: readonly Entry[]): FormErrors['fields'] {
  const grouped = Map.groupBy(entries, ([field]) => field);
  return Object.fromEntries([...grouped].map(([field, those]) => [field, those.map(([, error]) => error)]));
}

/**
 * @param message of an error, such as "`name` must be a text, got 1; `ports.0` must be a port, got 2."
 * @param names of the fields of the form
 */
export function errorsIn(message: string, names: readonly string[]): FormErrors {
  const clauses = clausesIn(message, names);
  return clauses.length === 0 ? { fields: {}, general: message } : { fields: byField(clauses) };
}
