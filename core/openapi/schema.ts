/** The part of JSON Schema (draft 2020-12) that the descriptions use. */
export type Schema = Readonly<Record<string, unknown>>;

export const text = (description: string, rest: Schema = {}): Schema => ({ type: 'string', description, ...rest });

export const count = (description: string): Schema => ({ type: 'integer', minimum: 0, description });

/** Returns the schema of any JSON value. */
export const anything = (description: string): Schema => ({ description });

/**
 * Returns the schema of an object with any members. `additionalProperties` is the default, but generators of clients
 * type an object without it as an empty one.
 */
export const anyObject = (description: string): Schema => ({
  type: 'object',
  additionalProperties: true,
  description,
});

/** Returns the schema of an object with only these members, all of which are required except the optional ones. */
export function exactObject(properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

/**
 * Returns the properties of a request with their defaults in the descriptions. With the keyword `default`, some
 * generators of clients type a property as required.
 */
export const withDefaultsDescribed = (properties: Readonly<Record<string, Schema>>): Record<string, Schema> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, { default: usual, ...schema }]) => {
      if (usual === undefined) return [name, schema];
      const meaning = [schema.description, `Default: \`${JSON.stringify(usual)}\`.`].filter(Boolean).join(' ');
      return [name, { ...schema, description: meaning }];
    }),
  );

export const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
