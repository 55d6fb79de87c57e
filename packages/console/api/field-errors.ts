/** Finds the fields that an error from the service names, so that a form can show each clause next to its field. */

export interface FieldError {
  readonly text: string;
  /** Index in the field's list, if the service names one. */
  readonly index?: number;
}

export interface FormErrors {
  /** Errors by field name. */
  readonly fields: Readonly<Record<string, readonly FieldError[] | undefined>>;
  /** Clauses that do not name a field; undefined if every clause names one. */
  readonly general?: string;
}

export const noErrors: FormErrors = { fields: {} };

/** Matches values as the service shows them: JSON, shortened with an ellipsis. */
const QUOTED = /"[^"\\…]*(?:\\[^…][^"\\…]*)*\\?["…]?/g;

/** Blanks out the values in the message, because text that a user typed must not match as a clause. */
const withoutValues = (message: string) => message.replace(QUOTED, (value) => ' '.repeat(value.length));

/**
 * Matches the beginning of a clause, such as "`ports.0` must be …": at the start, after another clause or after a
 * colon.
 */
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

/** Groups the errors by field, in the order of the message. */
export function byField(entries: readonly Entry[]): FormErrors['fields'] {
  const grouped = Map.groupBy(entries, ([field]) => field);
  return Object.fromEntries([...grouped].map(([field, those]) => [field, those.map(([, error]) => error)]));
}

/**
 * Splits an error message into the errors of each field.
 * @param message such as "`name` must be a text, got 1; `ports.0` must be a port, got 2."
 * @param names of the fields of the form
 */
export function errorsIn(message: string, names: readonly string[]): FormErrors {
  const clauses = clausesIn(message, names);
  return clauses.length === 0 ? { fields: {}, general: message } : { fields: byField(clauses) };
}
