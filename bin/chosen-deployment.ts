/** Finds the deployment that the settings of the command line select. */
import { chosenEnvironment } from '../lib/deployment/environments.ts';
import { domainOf } from '../lib/front-door/domain-setting.ts';
import { InvalidDeclarations } from '../lib/settings/declared-files.ts';
import { deploymentOf, InvalidSetting, scopeWith } from '../lib/settings/settings.ts';
import { declarationsFolder } from './assembly/app-folder.ts';
import type { Context } from './assembly/context.ts';
import { contextWith } from './assembly/synthesize.ts';

export interface ChosenDeployment {
  readonly deployment: string;
  /**
   * Account and Region in the file of the environment.
   * @default - those of the credentials
   */
  readonly env?: { readonly account: string; readonly region: string };
  /**
   * Domain name of the deployment, whose DNS record does not belong to a stack.
   * @default - none
   */
  readonly domain?: string;
}

/**
 * Returns the deployment of the settings, without a synthesis: what is deployed can be removed, whatever is declared.
 * @throws InvalidDeclarations, InvalidSetting
 */
export function chosenDeployment(context: Context): ChosenDeployment {
  const given = JSON.parse(contextWith(context)) as Record<string, unknown>;
  const { settings, env } = chosenEnvironment(scopeWith(given), declarationsFolder());
  const scope = scopeWith({ ...given, ...settings });
  const domain = domainOf(scope);
  return { deployment: deploymentOf(scope), ...(env && { env }), ...(domain && { domain: domain.name }) };
}

/** Returns the Region in the file of the environment. A synthesis reports the problems of the files. */
export function declaredRegion(context: Context): string | undefined {
  try {
    return chosenDeployment(context).env?.region;
  } catch (error) {
    if (error instanceof InvalidDeclarations || error instanceof InvalidSetting) return undefined;
    throw error;
  }
}
