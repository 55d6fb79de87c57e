/** The name of the deployment: the context `deployment`. An account and Region can have several deployments. */
import type { IConstruct } from 'constructs';
import { DEFAULT_DEPLOYMENT, deploymentMust, isDeploymentName } from '../core/deployment.ts';
import { InvalidSetting } from './invalid-setting.ts';

const SETTING = 'deployment';

/**
 * What the names of this deployment begin with.
 * @throws InvalidSetting
 */
export function deploymentOf(scope: IConstruct): string {
  const name: unknown = scope.node.tryGetContext(SETTING) || DEFAULT_DEPLOYMENT;
  if (typeof name === 'string' && isDeploymentName(name)) return name;
  throw new InvalidSetting(`The context \`${SETTING}\` ${deploymentMust}, got ${JSON.stringify(name)}.`);
}

/** The namespace of the metrics that functions write: alarms and dashboards of another deployment have another one. */
export const functionMetrics = (scope: IConstruct): string => `${deploymentOf(scope)}/Platform`;
