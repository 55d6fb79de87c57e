import type { Environment } from 'aws-cdk-lib';
import type { IVpc } from 'aws-cdk-lib/aws-ec2';
import type { ICluster } from 'aws-cdk-lib/aws-ecs';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IHostedZone } from 'aws-cdk-lib/aws-route53';
import type { Construct } from 'constructs';
import { DESCRIPTION_PREFIX, stackNameOf } from '../../core/deployment.ts';
import { corsOriginOf } from '../api/cors.ts';
import type { Pool } from '../capacity/pool-declaration.ts';
import { consoleOf } from '../console/console-setting.ts';
import { permissionsBoundaryOf } from '../constructs/permissions-boundary.ts';
import { tagDeployment } from '../constructs/tags.ts';
import type { EndpointDeclaration } from '../endpoints/declaration.ts';
import { domainOf } from '../front-door/domain-setting.ts';
import { ingressOf, requireZones } from '../front-door/ingress-setting.ts';
import { networkSettingsOf, vpcOf } from '../network/network.ts';
import { deploymentOf } from '../settings/settings.ts';
import type { TemplateDeclaration } from '../templates/declaration.ts';
import { notifyOfAlarms } from './alarms.ts';
import { EndpointStack } from './endpoint-stack.ts';
import { FleetStack } from './fleet-stack.ts';
import { ManagementStack } from './management-stack.ts';
import { PlatformStack } from './platform-stack.ts';
import { StorageStack } from './storage-stack.ts';
import { TemplatesStack } from './templates-stack.ts';

/** The declarations in Git, other than endpoints. */
export interface Declared {
  readonly pools?: readonly Pool[];
  readonly templates?: readonly TemplateDeclaration[];
  /**
   * Account and Region of the stacks.
   * @default - account and Region of the credentials
   */
  readonly env?: Environment | undefined;
  /**
   * VPC of the workers and the ingress.
   * @default - the VPC of the settings
   */
  readonly vpc?: IVpc | undefined;
  /**
   * Cluster of the workers and the ingress.
   * @default - a new one
   */
  readonly cluster?: ICluster | undefined;
  /**
   * ARN of the topic that alarms notify.
   * @default - the topic of the settings
   */
  readonly alarmTopic?: string | undefined;
  /**
   * Key that encrypts the data keys of secrets.
   * @default - a new key
   */
  readonly encryptionKey?: IKey | undefined;
  /**
   * Hosted zone of the domain name of the settings.
   * @default - the deployment adds no DNS records
   */
  readonly hostedZone?: IHostedZone | undefined;
}

/** The stacks of a deployment to which an app can add. */
export interface AddedStacks {
  readonly fleet: FleetStack;
  readonly platform: PlatformStack;
  addEndpoint(declaration: EndpointDeclaration): void;
}

/**
 * Adds the stacks of one deployment: storage, the fleet, the platform with the job interface, the management interface,
 * the official templates, if there are any, and one stack for each endpoint.
 * @param scope parent of the stacks, whose context has the settings
 */
export function addStacks(
  scope: Construct,
  declarations: readonly EndpointDeclaration[],
  { pools = [], templates: declared = [], env, vpc, cluster, alarmTopic, encryptionKey, hostedZone }: Declared = {},
): AddedStacks {
  tagDeployment(scope);
  notifyOfAlarms(scope, alarmTopic);
  const deployment = deploymentOf(scope);
  const permissionsBoundary = permissionsBoundaryOf(scope);
  const propsOf = (id: string, whatFor: string) => ({
    ...(env && { env }),
    ...(permissionsBoundary && { permissionsBoundary }),
    stackName: stackNameOf(deployment, id),
    description: `${DESCRIPTION_PREFIX}${whatFor}`,
  });
  const network = networkSettingsOf(scope);
  const ingress = ingressOf(scope);
  if (ingress) requireZones(network, vpcOf({ vpc, cluster }));
  const storage = new StorageStack(scope, 'Storage', { ...propsOf('Storage', 'tables'), encryptionKey });
  const fleet = new FleetStack(scope, 'Fleet', {
    ...propsOf('Fleet', 'network and cluster'),
    pools,
    network,
    vpc,
    cluster,
    storage,
  });
  const corsOrigin = corsOriginOf(scope);
  const platform = new PlatformStack(scope, 'Platform', {
    ...propsOf('Platform', 'job interface'),
    storage,
    fleet,
    corsOrigin,
    ingress,
    console: consoleOf(scope),
    domain: domainOf(scope),
    hostedZone,
  });
  const management = new ManagementStack(scope, 'Management', {
    ...propsOf('Management', 'management interface'),
    storage,
    platform,
    corsOrigin,
  });
  const templates =
    declared.length > 0
      ? new TemplatesStack(scope, 'Templates', {
          ...propsOf('Templates', 'official templates'),
          declarations: declared,
          platform,
        })
      : undefined;
  const stacks = { storage, fleet, platform, management, templates };
  function addEndpoint(declaration: EndpointDeclaration): void {
    const id = `Endpoint-${declaration.id}`;
    new EndpointStack(scope, id, { ...propsOf(id, `endpoint ${declaration.id}`), declaration, ...stacks });
  }
  for (const declaration of declarations) addEndpoint(declaration);
  return { fleet, platform, addEndpoint };
}
