/**
 * The field `examples` of an endpoint's file: inputs by name, in the order of the file. Names that are whole numbers
 * come first. Messages complete the sentence "`field` …".
 */
import * as z from 'zod/mini';
import { type Example, exampleLimits } from '../../core/endpoints/endpoint.ts';

const { count, name: maxLength, bytes } = exampleLimits;

const nameMust = `must be a name of 1 to ${maxLength} characters without control characters`;
const inputMust = 'must be a mapping with the fields of an input';
const countMust = `must have at most ${count} inputs`;
const bytesMust = `must have at most ${bytes} bytes as a JSON array of objects with name and input`;

/** The limits as sentences for the reference. */
export const examplesCondition = `At most ${count} inputs, with names of at most ${maxLength} characters, and at most ${bytes} bytes in total as a JSON array of objects with \`name\` and \`input\`.`;

const name = z.string().check(z.maxLength(maxLength, nameMust), z.regex(/^\P{Cc}+$/u, nameMust));

const listOf = (inputs: Readonly<Record<string, Record<string, unknown>>>): Example[] =>
  Object.entries(inputs).map(([its, input]) => ({ name: its, input }));

export const examplesDeclaration = z.pipe(
  z.record(name, z.record(z.string(), z.unknown(), inputMust), 'must be a mapping of names to inputs').check(
    z.refine((inputs) => Object.keys(inputs).length <= count, countMust),
    z.refine((inputs) => Buffer.byteLength(JSON.stringify(listOf(inputs))) <= bytes, bytesMust),
  ),
  z.transform(listOf),
);
