/** The construct with which an app deploys the service, and its props from declarations in files. */
import type { Environment } from 'aws-cdk-lib';
import type { IVpc, Vpc } from 'aws-cdk-lib/aws-ec2';
import type { Cluster, ICluster } from 'aws-cdk-lib/aws-ecs';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IHostedZone } from 'aws-cdk-lib/aws-route53';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { DEFAULT_DEPLOYMENT } from '../core/deployment.ts';
import { declarePool, type Pool, readPools } from './capacity/pool-declaration.ts';
import type { PoolFields } from './capacity/pool-fields.ts';
import { type AddedStacks, addStacks } from './deployment/deployment.ts';
import { Endpoint } from './deployment/endpoint.ts';
import { chosenEnvironment, conflictsWith, WITHOUT_PLACE } from './deployment/environments.ts';
import {
  checkOverrides,
  declareEndpoint,
  type EndpointDeclaration,
  readDeclarations,
} from './endpoints/declaration.ts';
import type { EndpointFields } from './endpoints/endpoint-fields.ts';
import { InvalidSetting, scopeWith } from './settings/settings.ts';
import { readTemplates, type TemplateDeclaration } from './templates/declaration.ts';

export { Endpoint } from './deployment/endpoint.ts';
export type { EndpointFields, PoolFields };

export interface GpuEndpointsProps {
  /**
   * Endpoints of files. `addEndpoint` adds others.
   * @default - no endpoints
   */
  readonly endpoints?: readonly EndpointDeclaration[];
  /**
   * Pools of GPU instances of files. `addPool` adds others.
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
  /**
   * VPC whose private subnets with egress get the workers and the ingress. Not together with `cluster` or the
   * setting `network`.
   * @default - the VPC of the setting `network`, or a new one
   */
  readonly vpc?: IVpc | Vpc;
  /**
   * Cluster for the workers and the ingress, in its VPC. It must run nothing else and have no capacity providers: the
   * stacks set its list of them, and their functions and instances can act on everything in it. Not together with `vpc`
   * or the setting `network`. With the policies in `docs/execution-policy`, its name must begin with `gpu-endpoints-`.
   * @default - a new cluster
   */
  readonly cluster?: ICluster | Cluster;
  /**
   * What happens if an alarm goes off or is over. Not together with the setting `alarms`.
   * @default - the topic of the setting `alarms`, or nothing
   */
  readonly alarms?: { readonly topic: ITopic };
  /**
   * Symmetric key in the Region of the stacks that encrypts `s3Config` of jobs and the secrets that sign webhooks.
   * Tables, bucket, queues, logs and volumes stay encrypted with keys of AWS. Give it before the first deployment:
   * another key cannot decrypt what is stored. With the setting `permissionsBoundary`, the key needs the tag
   * `gpu-endpoints:deployment` with the name of the deployment.
   * @default - a new key, which KMS rotates each year
   */
  readonly encryptionKey?: IKey;
  /**
   * Public hosted zone of the domain name in the setting `domain`, which gets alias records to the distribution. The
   * certificate of the setting stays necessary.
   * @default - no records: add them yourself
   */
  readonly hostedZone?: IHostedZone;
}

/** An endpoint as in a file in `endpoints/`. */
export interface EndpointProps extends Omit<EndpointFields, 'capacity' | 'deploy'> {
  /**
   * Machines on which the workers run: a pool, or `cpu` for Fargate.
   * @default 'cpu'
   */
  readonly capacity?: Pool | 'cpu';
}

/** The service, in this app or another one. */
export interface IGpuEndpoints {
  /** Returns the endpoint with this id, which code can call. */
  endpoint(id: string): Endpoint;
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

const idsOf = (declared: readonly { readonly id: string }[]) => declared.map(({ id }) => id).join(', ') || 'none';

/**
 * The service: one stack for storage, the fleet, the job interface and the management interface, one for the templates,
 * and one for each endpoint.
 */
export class GpuEndpoints extends Construct implements IGpuEndpoints {
  /**
   * Refers to the service of another app in the same account and Region.
   * @param deployment its setting `deployment`
   */
  static fromAttributes(
    scope: Construct,
    id: string,
    { deployment = DEFAULT_DEPLOYMENT }: { readonly deployment?: string } = {},
  ): IGpuEndpoints {
    const construct = new Construct(scope, id);
    return { endpoint: (endpoint) => Endpoint.ofDeployment(construct, endpoint, deployment) };
  }

  readonly #stacks: AddedStacks;
  readonly #endpoints: EndpointDeclaration[];

  constructor(scope: Construct, id: string, props: GpuEndpointsProps = {}) {
    super(scope, id);
    const { endpoints = [], pools, templates, settings = {}, vpc, cluster, alarms, encryptionKey, hostedZone } = props;
    const conflicts = conflictsWith(scope, settings, 'the props');
    if (conflicts.length > 0) throw new InvalidSetting(conflicts.join('\n'));
    for (const [name, value] of Object.entries(settings)) this.node.setContext(name, value);
    const env = scope.node.getAllContext()[WITHOUT_PLACE] ? undefined : props.env;
    this.#endpoints = [...endpoints];
    this.#stacks = addStacks(this, endpoints, {
      ...(pools && { pools }),
      ...(templates && { templates }),
      env,
      // CDK's own types are not exact: its classes declare optional members that can be undefined, its interfaces do not.
      vpc: vpc as IVpc | undefined,
      cluster: cluster as ICluster | undefined,
      alarmTopic: alarms?.topic.topicArn,
      encryptionKey,
      hostedZone,
    });
  }

  /**
   * Returns the pool with this name.
   * @throws Error with the names of all pools
   */
  pool(name: string): Pool {
    const { pools } = this.#stacks.fleet;
    const found = pools.find(({ id }) => id === name);
    if (!found) throw new Error(`There is no pool "${name}"; the pools are: ${idsOf(pools)}.`);
    return found;
  }

  /**
   * Adds a pool of GPU instances that endpoints can name.
   * @throws InvalidDeclarations with a sentence for each problem
   */
  addPool(name: string, fields: PoolFields): Pool {
    const pool = declarePool(name, fields);
    this.#stacks.fleet.addPool(pool);
    return pool;
  }

  /**
   * Adds an endpoint, with a stack of its own.
   * @param id path segment of the job interface, which can never change
   * @throws InvalidDeclarations with a sentence for each problem
   */
  addEndpoint(id: string, { capacity, ...fields }: EndpointProps): Endpoint {
    const declaration = declareEndpoint(
      id,
      { ...fields, ...(capacity !== undefined && { capacity: typeof capacity === 'string' ? capacity : capacity.id }) },
      { pools: this.#stacks.fleet.pools, others: this.#endpoints },
    );
    this.#stacks.addEndpoint(declaration);
    this.#endpoints.push(declaration);
    return this.endpoint(id);
  }

  /**
   * Returns the endpoint with this id.
   * @throws Error with the ids of all endpoints
   */
  endpoint(id: string): Endpoint {
    if (!this.#endpoints.some((endpoint) => endpoint.id === id))
      throw new Error(`There is no endpoint "${id}"; the endpoints are: ${idsOf(this.#endpoints)}.`);
    return Endpoint.in(this.#stacks.platform, id);
  }
}
