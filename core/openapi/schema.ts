/** JSON Schema, draft 2020-12, as far as the descriptions use it. */
export type Schema = Readonly<Record<string, unknown>>;

export const text = (description: string, rest: Schema = {}): Schema => ({ type: 'string', description, ...rest });

export const count = (description: string): Schema => ({ type: 'integer', minimum: 0, description });

/** Any JSON value. */
export const anything = (description: string): Schema => ({ description });

/** An object that has these members and no others; all are there that are not named as optional. */
export function record(properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

export const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
