/** Scalars in the properties of custom resources. CloudFormation turns each of them into a string. */
import * as z from 'zod/mini';

export const number = z.pipe(z.coerce.number(), z.number());
export const flag = z.stringbool({ truthy: ['true'], falsy: ['false'] });
