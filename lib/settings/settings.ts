/**
 * Settings of the context, from `cdk.json` or `-c` on the command line: how their values are checked, and the setting
 * on which all names depend, `deployment`.
 */
import type { IConstruct } from 'constructs';
import * as z from 'zod/mini';
import { DEFAULT_DEPLOYMENT, deploymentMust, isDeploymentName } from '../../core/deployment.ts';
import { at, shown } from '../../core/validation.ts';

/** A setting has a value that it cannot have. The message says which values it can have. */
export class InvalidSetting extends Error {}

/** A schema of whole numbers. Its messages complete the sentence "`field` …". */
export function wholeNumber(min: number, max: number) {
  const must = `must be a whole number from ${min} to ${max}`;
  return z.int(must).check(z.gte(min, must), z.lte(max, must));
}

/**
 * Checks the value of a setting. Messages of the schema complete the sentence "The context `setting.field` ...".
 * @returns the value with the schema's defaults
 * @throws InvalidSetting with a sentence for each field that is wrong
 */
export function parseSetting<Shape extends z.core.$ZodShape>(
  setting: string,
  schema: z.ZodMiniObject<Shape>,
  value: unknown,
): z.output<z.ZodMiniObject<Shape>> {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  const sentences = result.error.issues.map((issue) => {
    // A wrong item of a list is named by its list.
    const name = [setting, ...issue.path.filter((part) => typeof part === 'string')].join('.');
    if (issue.code === 'unrecognized_keys')
      return `The context \`${name}\` has no ${issue.keys.join(', ')}: it may have ${Object.keys(schema.shape).join(', ')}.`;
    return `The context \`${name}\` ${issue.message}, got ${shown(at(value, issue.path))}.`;
  });
  throw new InvalidSetting(sentences.join('\n'));
}

const DEPLOYMENT = 'deployment';

/**
 * Returns the name of the deployment, with which all its names begin: the context `deployment`. An account and Region
 * can have several deployments.
 * @throws InvalidSetting
 */
export function deploymentOf(scope: IConstruct): string {
  const name: unknown = scope.node.tryGetContext(DEPLOYMENT) || DEFAULT_DEPLOYMENT;
  if (typeof name === 'string' && isDeploymentName(name)) return name;
  throw new InvalidSetting(`The context \`${DEPLOYMENT}\` ${deploymentMust}, got ${JSON.stringify(name)}.`);
}

/** The namespace of the metrics that functions write, so that two deployments never share a metric. */
export const functionMetrics = (scope: IConstruct): string => `${deploymentOf(scope)}/Platform`;
