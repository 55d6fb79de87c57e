/** Which deployment the stacks are: the context `deployment`. An account and Region can have several, told apart by it. */
import type { IConstruct } from 'constructs';
import { InvalidSetting } from './invalid-setting.ts';

const SETTING = 'deployment';

const DEFAULT = 'gpu-endpoints';

/** Stack names, IAM paths, log groups, secrets and parameters take it; Parameter Store refuses what begins as AWS's own. */
const FORM = /^(?!aws|ssm)[a-z](?:-?[a-z0-9]){0,31}$/;

/**
 * What the names of this deployment begin with.
 * @throws InvalidSetting
 */
export function deploymentOf(scope: IConstruct): string {
  const name: unknown = scope.node.tryGetContext(SETTING) ?? DEFAULT;
  if (typeof name === 'string' && FORM.test(name) && name.length <= 32) return name;
  throw new InvalidSetting(
    `The context \`${SETTING}\` must be 1 to 32 characters of a-z, 0-9 and single hyphens that begin with a letter, end with no hyphen and do not begin with aws or ssm, got ${JSON.stringify(name)}.`,
  );
}
