/** The construct with which an app deploys the service, and its props from declarations in files. */
import type { Environment } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { type Pool, readPools } from './capacity/pool-declaration.ts';
import { addStacks } from './deployment/deployment.ts';
import { chosenEnvironment, conflictsWith, WITHOUT_PLACE } from './deployment/environments.ts';
import { checkOverrides, type EndpointDeclaration, readDeclarations } from './endpoints/declaration.ts';
import { InvalidSetting, scopeWith } from './settings/settings.ts';
import { readTemplates, type TemplateDeclaration } from './templates/declaration.ts';

export interface GpuEndpointsProps {
  /** @default - no endpoints */
  readonly endpoints?: readonly EndpointDeclaration[];
  /**
   * Pools of GPU instances that endpoints can name.
   * @default - no pools: all workers run on Fargate
   */
  readonly pools?: readonly Pool[];
  /**
   * Templates that the deployment creates and updates.
   * @default - no templates but those of endpoints
   */
  readonly templates?: readonly TemplateDeclaration[];
  /**
   * Settings of the deployment by name, as in a file in `environments/`: docs/reference/configuration/settings.md.
   * @default - the settings of the app's context
   */
  readonly settings?: Readonly<Record<string, unknown>>;
  /**
   * Account and Region of the stacks.
   * @default - account and Region of the credentials
   */
  readonly env?: Environment;
}

/**
 * Reads the declarations in the folders `endpoints/`, `capacity/`, `templates/` and `environments/`.
 * @param folder parent of these folders, relative to the folder of the app
 * @param environment name of a file in `environments/`, without `.yaml`
 * @throws InvalidDeclarations with a sentence for each problem of each file
 * @throws InvalidSetting if there is no such environment
 */
export function fromFolder(folder: string, { environment }: { readonly environment?: string } = {}): GpuEndpointsProps {
  const [pools, templates] = [readPools(folder), readTemplates(folder)];
  const { name, settings, env } = chosenEnvironment(scopeWith({ environment }), folder);
  const endpoints = readDeclarations(folder, name);
  checkOverrides(folder);
  return { endpoints, pools, templates, settings, ...(env && { env }) };
}

/**
 * The service: one stack for storage, the fleet, the job interface and the management interface, one for the templates,
 * and one for each endpoint.
 */
export class GpuEndpoints extends Construct {
  constructor(scope: Construct, id: string, props: GpuEndpointsProps = {}) {
    super(scope, id);
    const { endpoints = [], pools, templates, settings = {} } = props;
    const conflicts = conflictsWith(scope, settings, 'the props');
    if (conflicts.length > 0) throw new InvalidSetting(conflicts.join('\n'));
    for (const [name, value] of Object.entries(settings)) this.node.setContext(name, value);
    const env = scope.node.getAllContext()[WITHOUT_PLACE] ? undefined : props.env;
    addStacks(this, endpoints, { ...(pools && { pools }), ...(templates && { templates }), env });
  }
}
