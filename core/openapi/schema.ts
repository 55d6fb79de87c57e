/** The part of JSON Schema (draft 2020-12) that the descriptions use. */
export type Schema = Readonly<Record<string, unknown>>;

export const text = (description: string, rest: Schema = {}): Schema => ({ type: 'string', description, ...rest });

export const count = (description: string): Schema => ({ type: 'integer', minimum: 0, description });

/** Returns the schema of any JSON value. */
export const anything = (description: string): Schema => ({ description });

/** Returns the schema of an object with only these members, all of which are required except the optional ones. */
export function record(properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

export const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
