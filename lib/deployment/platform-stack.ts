import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { IHostedZone } from 'aws-cdk-lib/aws-route53';
import type { Construct } from 'constructs';
import { binaryBodies, jobRoutes, linkRoute, stages } from '../../core/operations/routes.ts';
import { consoleBucket, sharedBuckets } from '../../core/rates/throttle.ts';
import { ApiAddress } from '../api/address.ts';
import { Api } from '../api/api.ts';
import { PlanKeys } from '../api/plan-keys.ts';
import { ThrottleBucket, UsagePlans } from '../api/rate-limits.ts';
import type { ConsoleSettings } from '../console/console-setting.ts';
import { Hosting } from '../console/hosting.ts';
import { ServiceFunction } from '../constructs/function.ts';
import { SharedList, SharedValue } from '../constructs/shared-value.ts';
import { Endpoints } from '../endpoints/endpoints.ts';
import { Distribution, proofOf } from '../front-door/distribution.ts';
import { DomainRecords } from '../front-door/domain-records.ts';
import type { Domain } from '../front-door/domain-setting.ts';
import { Ingress } from '../front-door/ingress.ts';
import type { IngressSettings } from '../front-door/ingress-setting.ts';
import { PrivateLink } from '../front-door/private-link.ts';
import { historyDaysOf } from '../history/history-days.ts';
import { Jobs } from '../jobs/jobs.ts';
import { waitsOf } from '../jobs/waits.ts';
import { Authorizer } from '../keys/authorizer.ts';
import { CallerKeys } from '../keys/caller-keys.ts';
import { Ledger } from '../ledger/ledger.ts';
import { privateSubnets } from '../network/network.ts';
import { ReleaseAccess } from '../releases/access.ts';
import { Releases } from '../releases/releases.ts';
import { deploymentOf } from '../settings/settings.ts';
import { Sweeper } from '../sweeper/sweeper.ts';
import { DeclaredTemplates } from '../templates/declared-templates.ts';
import { SignIn } from '../users/sign-in.ts';
import { Webhooks } from '../webhooks/webhooks.ts';
import { FleetEvents } from '../workers/fleet-events.ts';
import { InstanceLaunches } from '../workers/instance-launches.ts';
import { addDeploymentDashboard } from './dashboards.ts';
import { DeploymentAlarms } from './deployment-alarms.ts';
import type { FleetStack } from './fleet-stack.ts';
import { SetAsideAlarm } from './set-aside-alarm.ts';
import type { StorageStack } from './storage-stack.ts';

export interface PlatformStackProps extends StackProps {
  readonly storage: StorageStack;
  readonly fleet: FleetStack;
  /**
   * Origin allowed by CORS.
   * @default - none
   */
  readonly corsOrigin: string | undefined;
  /** @default - functions serve calls that wait */
  readonly ingress: IngressSettings | undefined;
  /** @default - no console */
  readonly console: ConsoleSettings | undefined;
  /**
   * The domain name that clients call.
   * @default - the domain name of CloudFront
   */
  readonly domain: Domain | undefined;
  /**
   * Hosted zone of this domain name.
   * @default - no DNS records
   */
  readonly hostedZone?: IHostedZone | undefined;
}

/** Part of the error message for a body that is too large for functions or API Gateway. */
const tooLarge = {
  withIngress: 'The published address of this deployment accepts 10 MB for /run and 20 MB for /runsync.',
  withoutIngress:
    'Functions accept some 6 MB, and less if JSON escapes characters of the body. This deployment has no ingress, which accepts 10 MB for /run and 20 MB for /runsync.',
} as const;

/**
 * The job interface with its limits, the published addresses of both interfaces, and the functions behind jobs. The
 * stack does not depend on endpoints, nor on the routes of the management interface.
 */
export class PlatformStack extends Stack {
  readonly endpoints: Endpoints;
  readonly releases: Releases;
  readonly templates: DeclaredTemplates;
  readonly jobAddress: ApiAddress;
  /** The address of the management interface, which has its routes in another stack. */
  readonly managementAddress: ApiAddress;
  /** Value by which the interfaces recognize requests through the distribution. */
  readonly proof: SharedValue;
  /**
   * ARN of the load balancer of the ingress.
   * @default - no ingress
   */
  readonly balancer: SharedValue | undefined;
  readonly planKeys: PlanKeys;
  /** Creates client keys of functions in stacks of teams. */
  readonly callerKeys: CallerKeys;
  /** URL of the job interface that clients call. */
  readonly jobsUrl: SharedValue;
  /** Names of the log groups of the functions. */
  readonly logGroups: SharedList;
  /** Id of the usage plan of the job interface. */
  readonly usagePlan: SharedValue;
  /** Id of the hidden key for endpoints that do not exist. */
  readonly unknownEndpointKey: SharedValue;
  /**
   * Id of the hidden key for all users of the console.
   * @default - no console
   */
  readonly consoleKey: SharedValue | undefined;

  constructor(
    scope: Construct,
    id: string,
    {
      storage,
      fleet,
      corsOrigin,
      ingress: settings,
      console: consoleSettings,
      domain,
      hostedZone,
      ...props
    }: PlatformStackProps,
  ) {
    super(scope, id, props);
    const deployment = deploymentOf(this);

    const authorizer = new Authorizer(this, 'Authorizer', storage);
    // The ingress is in this stack, so that one update removes it only after no method uses it.
    const frontDoor = settings && this.#ingressIn(fleet, settings);
    const ingress = frontDoor?.ingress;
    const jobs = new Jobs(this, 'Jobs', { ...storage, ingress });
    this.jobAddress = new ApiAddress(this, 'JobAddress', {
      name: `${deployment} jobs`,
      stage: stages.jobs,
      authorizer,
      binaryMediaTypes: binaryBodies,
    });
    const jobApi = new Api(this, 'JobApi', {
      address: this.jobAddress.in(this),
      stage: stages.jobs,
      routes: jobRoutes,
      functions: jobs.functions,
      link: frontDoor?.link,
      openapi: new ServiceFunction(this, 'OpenApiJobs', {
        entry: 'lambda/openapi/jobs.ts',
        description: 'GET /openapi.json: describes the job interface.',
      }),
      corsOrigin,
      tooLarge: ingress ? tooLarge.withIngress : tooLarge.withoutIngress,
    });
    this.managementAddress = new ApiAddress(this, 'ManagementAddress', {
      name: `${deployment} management`,
      stage: stages.management,
      authorizer,
    });

    const hosting = consoleSettings && new Hosting(this, 'Console', consoleSettings);
    const distribution = new Distribution(this, 'Distribution', {
      jobs: this.jobAddress.host,
      management: this.managementAddress.host,
      loadBalancer: ingress?.loadBalancer,
      service: ingress?.service,
      domain,
      corsOrigin,
      console: hosting,
    });
    if (hostedZone) new DomainRecords(this, 'DomainRecords', { hostedZone, domain, target: distribution.domainName });
    this.proof = new SharedValue(this, 'Proof', proofOf());
    this.balancer = ingress && new SharedValue(this, 'BalancerArn', ingress.loadBalancer.balancer.loadBalancerArn);

    // Limits per endpoint and operation. All endpoints that do not exist share a bucket, and so do all users.
    const bucketOf = (name: string, bucket: string) =>
      new ThrottleBucket(this, `Bucket-${name}`, { scope: this.stackName, bucket }).keyId;
    const unknownEndpoint = bucketOf('unknownEndpoint', sharedBuckets.unknownEndpoint);
    const users = hosting && bucketOf('console', consoleBucket);
    this.planKeys = new PlanKeys(this, 'PlanKeys');
    const plans = new UsagePlans(this, 'UsagePlans', {
      api: jobApi,
      called: 'job interface',
      shared: [unknownEndpoint],
      console: users,
      planKeys: this.planKeys,
    });
    this.usagePlan = new SharedValue(this, 'UsagePlanId', plans.endpoints);
    this.unknownEndpointKey = new SharedValue(this, 'UnknownEndpointKeyId', unknownEndpoint);
    this.consoleKey = users === undefined ? undefined : new SharedValue(this, 'ConsoleKeyId', users);
    if (consoleSettings && hosting) {
      const { identityProvider } = consoleSettings;
      const signIn = new SignIn(this, 'SignIn', { users: storage.users, host: distribution.host, identityProvider });
      authorizer.acceptUsers(signIn);
      hosting.publish({ issuer: signIn.issuer, signIn: signIn.address, client: signIn.client });
      new CfnOutput(this, 'ConsoleUrl', { value: `https://${distribution.host}${hosting.path}` });
      new CfnOutput(this, 'ConsoleClient', { value: signIn.client });
    }

    // The ledger counts jobs and starts workers immediately. The sweeper repairs missed changes within a minute.
    const { clusters, instanceGroups, services } = fleet;
    const access = new ReleaseAccess({ ...storage, services });
    const webhooks = new Webhooks(this, 'Webhooks', storage);
    webhooks.machine.grantRestart(jobs.functions.resend, 'Starts the repeated delivery.');
    const sweeper = new Sweeper(this, 'Sweeper', {
      ...storage,
      access,
      webhooks,
      linkUrl: ingress && `${this.jobAddress.url}${linkRoute.path}`,
    });
    const ledger = new Ledger(this, 'Ledger', { ...storage, services, timers: sweeper.timers });
    // Workers can write the items that these functions and the ingress read.
    const streams = [jobs.functions.stream, jobs.functions.openai, ingress].filter((server) => server !== undefined);
    new SetAsideAlarm(this, 'SetAside', [ledger.record, sweeper.sweep, webhooks.deliver, ...streams]);
    new FleetEvents(this, 'FleetEvents', { ...storage, clusters, instanceGroups, access });
    const { launch } = new InstanceLaunches(this, 'Launches', {
      ...storage,
      cluster: fleet.cluster.in(this),
      clusters,
      instanceGroups,
      subnets: fleet.subnetsIn(this),
    });

    new DeploymentAlarms(this, 'Alarms', {
      sweeper,
      ledger: ledger.record,
      launcher: launch,
      apis: [this.jobAddress.name, this.managementAddress.name],
      waits: ingress && (waitsOf(this) ?? ingress.room),
      after: distribution,
    });

    this.endpoints = new Endpoints(this, 'Endpoints', storage);
    this.releases = new Releases(this, 'Releases', { ...storage, services, access });
    this.templates = new DeclaredTemplates(this, 'DeclaredTemplates', storage);
    this.callerKeys = new CallerKeys(this, 'CallerKeys', storage);
    const jobsUrl = `https://${distribution.host}/${stages.jobs}`;
    this.jobsUrl = new SharedValue(this, 'JobsUrl', jobsUrl);

    // Custom resources of other stacks import only their functions. A function that replaces one of them could not
    // remove what the old function created, so CloudFormation must refuse the replacement while a stack imports the
    // function. The exports exist even without an endpoint, so that the removal of the last endpoint is not a special
    // case.
    const tokens = [
      ...[this.endpoints, this.planKeys].map(({ serviceToken }) => serviceToken),
      ...[this.releases, this.templates].flatMap(({ serviceTokens }) => serviceTokens),
    ];
    for (const token of tokens) this.exportValue(token);

    const functions = this.node.findAll().filter((one): one is ServiceFunction => one instanceof ServiceFunction);
    this.logGroups = new SharedList(
      this,
      'LogGroups',
      functions.map(({ logGroup }) => logGroup.logGroupName),
    );
    addDeploymentDashboard(this);

    new CfnOutput(this, 'Deployment', { value: deployment });
    new CfnOutput(this, 'JobApiUrl', { value: jobsUrl });
    new CfnOutput(this, 'ManagementApiUrl', { value: `https://${distribution.host}/${stages.management}` });
    new CfnOutput(this, 'JobGatewayUrl', { value: this.jobAddress.url });
    new CfnOutput(this, 'ManagementGatewayUrl', { value: this.managementAddress.url });
    new CfnOutput(this, 'DistributionDomain', { value: distribution.domainName });
    new CfnOutput(this, 'KeysTable', { value: storage.keys.nameIn(this) });
    new CfnOutput(this, 'EndpointsTable', { value: storage.endpoints.nameIn(this) });
    new CfnOutput(this, 'TemplatesTable', { value: storage.templates.nameIn(this) });
    new CfnOutput(this, 'JobsTable', { value: storage.jobs.nameIn(this) });
    new CfnOutput(this, 'DeadlinesTable', { value: storage.deadlines.nameIn(this) });
    new CfnOutput(this, 'DeliveriesTable', { value: storage.deliveries.nameIn(this) });
    new CfnOutput(this, 'HistoryTable', { value: storage.history.nameIn(this) });
    new CfnOutput(this, 'HistoryDays', { value: String(historyDaysOf(this)) });
    new CfnOutput(this, 'DeliveryMachine', { value: webhooks.machine.arn });
    new CfnOutput(this, 'SigningTable', { value: storage.signing.nameIn(this) });
    new CfnOutput(this, 'UserPool', { value: storage.users.poolIdIn(this) });
    new CfnOutput(this, 'SecretsKey', { value: storage.secrets.arnIn(this) });
  }

  #ingressIn(fleet: FleetStack, settings: IngressSettings): { readonly ingress: Ingress; readonly link: PrivateLink } {
    const cluster = fleet.balancedClusterIn(this);
    const ingress = new Ingress(this, 'Ingress', { cluster, settings });
    const { subnetIds } = cluster.vpc.selectSubnets(privateSubnets);
    return { ingress, link: new PrivateLink(this, 'PrivateLink', { ingress, subnetIds }) };
  }
}
