import * as z from 'zod/mini';
import { LocalError } from '../../local-error.ts';
import { describe, ignored } from '../resource.ts';
import { run } from '../resource-type.ts';

/** Maximum length of a value in Parameter Store, in characters. */
const MAX_LENGTH = 4096;

const parameterSchema = z.strictObject({
  Name: z.string(),
  Type: z.enum(['String', 'StringList']),
  Value: z.string().check(z.minLength(1), z.maxLength(MAX_LENGTH)),
  Tags: ignored,
});

/** Stores a parameter for the parameters of other stacks that read it. */
export const parameter = run(parameterSchema, (resource, { parameters }) => {
  const { Name, Type, Value } = resource.properties;
  if (parameters.has(Name))
    throw new LocalError(`${describe(resource)} cannot run here: the parameter ${Name} already exists.`);
  parameters.set(Name, Value);
  return { ref: Name, attributes: { Type, Value } };
});
