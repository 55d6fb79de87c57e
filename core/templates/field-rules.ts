/** The allowed values of each field of a template. Messages complete the sentence "`field` …". */
import * as z from 'zod/mini';
import { CATEGORIES } from '../endpoints/endpoint.ts';
import { shown } from '../requests/validation.ts';
import { envNameRefusal } from './env-name.ts';
import { imageName } from './image-name.ts';
import { templateLimits } from './limits.ts';
import { mountPath } from './mount-path.ts';
import { nameKeyOf } from './template.ts';
import { nameRefusal, readEnvValue } from './vault.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text).length;
/** Returns whether a string is valid: strings are stored as UTF-8, and C libraries end a string at a zero byte. */
const isText = (text: string) => text.isWellFormed() && !text.includes('\0');

const { name: nameLimits } = templateLimits;
const nameMust = `must be a string of 1 to ${nameLimits.maxLength} characters, without control characters and not blank`;
const name = z
  .string(nameMust)
  .check(
    z.refine(
      (text) =>
        text.length <= nameLimits.maxLength &&
        text.isWellFormed() &&
        !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) &&
        nameKeyOf(text) !== '' &&
        bytesOf(nameKeyOf(text)) <= nameLimits.key,
      nameMust,
    ),
  );

function gigabytes({ min, max }: { readonly min: number; readonly max: number }) {
  const must = `must be a whole number of GB from ${min} to ${max}`;
  return z.int(must).check(z.gte(min, must), z.lte(max, must));
}

const flag = z.boolean('must be true or false');

const argsMust = `must be a list of at most ${templateLimits.args} strings`;
const args = z
  .array(
    z.string('must be a string').check(z.refine(isText, 'must be a Unicode string without zero characters')),
    argsMust,
  )
  .check(z.maxLength(templateLimits.args, argsMust));

const PORT = /^([1-9]\d{0,4})\/(?:http|tcp)$/;
const MAX_PORT = 65_535;
const portNumber = (port: string) => Number(PORT.exec(port)?.[1]);
const portMust = `must be a port from 1 to ${MAX_PORT} with the protocol http or tcp, such as 8080/http`;
const portsMust = `must be a list of at most ${templateLimits.ports} ports`;
const onceMust = 'must contain each port only once, with either http or tcp';
const ports = z
  .array(z.string(portMust).check(z.refine((port) => portNumber(port) <= MAX_PORT, portMust)), portsMust)
  .check(
    z.maxLength(templateLimits.ports, portsMust),
    z.refine((all) => new Set(all.map(portNumber)).size === all.length, onceMust),
  );

const authMust = 'must be the id of a registry login, or empty for none';
/** An empty string removes an earlier id. */
const containerRegistryAuthId = z.string(authMust).check(
  z.superRefine((id, context) => {
    const refusal = id === '' ? undefined : nameRefusal('registryAuth', id);
    if (refusal) context.addIssue({ code: 'custom', message: `${authMust}: ${refusal}`, input: id });
  }),
);

const readmeMust = `must be a string of at most ${templateLimits.readme} bytes`;
const readme = z
  .string(readmeMust)
  .check(z.refine((text) => isText(text) && bytesOf(text) <= templateLimits.readme, readmeMust));

const envMust = `must be an object of at most ${templateLimits.env} names with string values`;

/** Yields the problems of variables, without their values, which can be secret. */
function* envProblems(variables: Readonly<Record<string, unknown>>): Generator<string> {
  if (Object.keys(variables).length > templateLimits.env) yield envMust;
  for (const [variable, value] of Object.entries(variables)) {
    const refusal = envNameRefusal(variable);
    const what = refusal ? `has the name ${shown(variable)}, which ${refusal}` : valueProblem(variable, value);
    if (what) yield what;
  }
}

function valueProblem(variable: string, value: unknown): string | undefined {
  if (typeof value !== 'string') return `must have a string value for ${variable}: put the value in quotes`;
  if (!isText(value)) return `must have a Unicode string without zero characters for ${variable}`;
  const read = readEnvValue(value);
  return read.is === 'refused' ? `has an invalid secret reference for ${variable}: ${read.reason}` : undefined;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Checked without a record schema of zod, which would skip `__proto__`. */
export const envSchema = z.custom<Readonly<Record<string, string>>>(isObject, envMust).check(
  z.superRefine((variables, context) => {
    for (const message of envProblems(variables)) context.addIssue({ code: 'custom', message, input: variables });
  }),
);

const categoryMust = `must be one of ${CATEGORIES.join(', ')}`;

/** The fields that an update can change, except `env`, whose values must not appear in messages. */
const changed = {
  imageName,
  containerDiskInGb: gigabytes(templateLimits.containerDiskInGb),
  volumeInGb: gigabytes(templateLimits.volumeInGb),
  volumeMountPath: mountPath,
  containerRegistryAuthId,
  dockerEntrypoint: args,
  dockerStartCmd: args,
  ports,
  isPublic: flag,
  readme,
};

export const creationSchema = z.object({
  name,
  ...z.exactPartial(z.object(changed)).shape,
  imageName,
  category: z.exactOptional(z.enum(CATEGORIES, categoryMust)),
  isServerless: z.exactOptional(flag),
});

const reasonMust = `must be a string of 1 to ${templateLimits.reason} characters that are not all spaces`;
/** Why a client changes a field that a file declares. It is not a field of the template. */
export const reason = z
  .string(reasonMust)
  .check(z.refine((text) => isText(text) && text.trim() !== '' && text.length <= templateLimits.reason, reasonMust));

export const updateSchema = z.exactPartial(z.object({ name, ...changed, reason }));
