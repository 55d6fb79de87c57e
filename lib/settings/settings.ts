/**
 * Settings of the context, from `cdk.json` or `-c` on the command line: how their values are checked, and the setting
 * `deployment`, which is a part of all names.
 */
import { type IConstruct, RootConstruct } from 'constructs';
import * as z from 'zod/mini';
import { DEFAULT_DEPLOYMENT, deploymentMust, isDeploymentName } from '../../core/deployment.ts';
import { at, shown } from '../../core/requests/validation.ts';
import { rangeOf, type Setting } from './field-text.ts';

/** A setting has an invalid value. The message lists the valid values. */
export class InvalidSetting extends Error {
  override readonly name = 'InvalidSetting';
}

/** Returns a construct whose context has these settings. Settings are read from it without an app. */
export function scopeWith(settings: Readonly<Record<string, unknown>>): IConstruct {
  const scope = new RootConstruct();
  for (const [name, value] of Object.entries(settings)) scope.node.setContext(name, value);
  return scope;
}

/** Returns a schema of whole numbers. Its messages complete the sentence "`field` …". */
export function wholeNumber(min: number, max: number) {
  const must = `must be a whole number from ${min} to ${max}`;
  return z.int(must).check(z.gte(min, must), z.lte(max, must));
}

/**
 * Returns the whole number that is the value of a setting, or undefined if it is none within the bounds. Values from the
 * command line are strings.
 */
export function wholeNumberIn(value: unknown, { min, max }: { readonly min: number; readonly max: number }) {
  const isDigits = typeof value === 'string' && /^\d+$/.test(value) && value.length <= String(max).length;
  const number = isDigits ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max ? number : undefined;
}

/**
 * Returns the whole number that is the value of a setting.
 * @throws InvalidSetting if it is none within the bounds
 */
export function wholeNumberOf(setting: string, value: unknown, bounds: { readonly min: number; readonly max: number }) {
  const number = wholeNumberIn(value, bounds);
  if (number !== undefined) return number;
  throw new InvalidSetting(
    `The context \`${setting}\` must be a whole number from ${rangeOf(bounds)}, got ${JSON.stringify(value)}.`,
  );
}

/**
 * Checks the value of a setting. Messages of the schema complete the sentence "The context `setting.field` ...".
 * @returns the value with the schema's defaults
 * @throws InvalidSetting with a sentence for each invalid field
 */
export function parseSetting<Shape extends z.core.$ZodShape>(
  setting: string,
  schema: z.ZodMiniObject<Shape>,
  value: unknown,
): z.output<z.ZodMiniObject<Shape>> {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  const sentences = result.error.issues.map((issue) => {
    // An invalid item of a list is reported under the name of the list.
    const name = [setting, ...issue.path.filter((part) => typeof part === 'string')].join('.');
    if (issue.code === 'unrecognized_keys')
      return `The context \`${name}\` has no field ${issue.keys.join(', ')}; the fields are ${Object.keys(schema.shape).join(', ')}.`;
    return `The context \`${name}\` ${issue.message}, got ${shown(at(value, issue.path))}.`;
  });
  throw new InvalidSetting(sentences.join('\n'));
}

/** Returns the error about a resource of the app that a setting also names. */
export const givenTwice = (setting: string, prop: string): InvalidSetting =>
  new InvalidSetting(`The context \`${setting}\` is set, and the app gives \`${prop}\`: remove one of them.`);

const DEPLOYMENT = 'deployment';

/**
 * Returns the name of the deployment, with which the names of all its stacks begin: the context `deployment`. An
 * account and Region can have several deployments.
 * @throws InvalidSetting
 */
export function deploymentOf(scope: IConstruct): string {
  const name: unknown = scope.node.tryGetContext(DEPLOYMENT) || DEFAULT_DEPLOYMENT;
  if (typeof name === 'string' && isDeploymentName(name)) return name;
  throw new InvalidSetting(`The context \`${DEPLOYMENT}\` ${deploymentMust}, got ${JSON.stringify(name)}.`);
}

export const deploymentSetting: Setting = {
  read: deploymentOf,
  text: {
    description: 'Name of the deployment, with which the names of its stacks and resources begin.',
    type: 'string',
    default: DEFAULT_DEPLOYMENT,
    allowed: `a name that ${deploymentMust}`,
    guide: 'environments',
  },
};

/** The namespace of the metrics that functions write, which differs between deployments. */
export const functionMetricsOf = (deployment: string): string => `${deployment}/Platform`;

export const functionMetrics = (scope: IConstruct): string => functionMetricsOf(deploymentOf(scope));
