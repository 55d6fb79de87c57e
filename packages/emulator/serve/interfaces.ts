/** Serves the two addresses: the distribution at the published address, and API Gateway at another one. */

import { bucketArn } from '../aws-proxy/s3.ts';
import type { Cloud } from '../cloud.ts';
import type { Identity } from '../cognito/identity.ts';
import { PREFIX, serveIssuer } from '../cognito/server.ts';
import { bucketOrigin } from '../distribution/bucket-origin.ts';
import { buildDistribution } from '../distribution/build.ts';
import type { LoadBalancers, Origin } from '../distribution/origin.ts';
import { serveDistribution } from '../distribution/server.ts';
import { buildApis } from '../gateway/api.ts';
import { createGateway, type GatewayOptions } from '../gateway/server.ts';
import { type Address, openPreferred } from '../network/address.ts';
import { LOOPBACK } from '../network/ports.ts';
import type { StateDirectory } from '../state/state-directory.ts';
import type { Stack } from '../synthesis/assembly.ts';

/** The two addresses, which are the same for stacks without a distribution. */
export interface Addresses {
  readonly published: Address;
  readonly gateway: Address;
}

const FILE = 'gateway.json';

const hasDistribution = (stacks: readonly Stack[]) =>
  stacks.some(({ template }) =>
    Object.values(template.Resources).some(({ Type }) => Type === 'AWS::CloudFront::Distribution'),
  );

/**
 * Opens a separate address for API Gateway if the stacks have a distribution, on the port of the previous run if it
 * is free.
 */
export async function openAddresses(
  published: Address,
  stacks: readonly Stack[],
  state: StateDirectory,
): Promise<Addresses> {
  if (!hasDistribution(stacks)) return { published, gateway: published };
  const gateway = await openPreferred(state.readJson<{ port: number }>(FILE)?.port);
  state.writeJson(FILE, { port: gateway.port });
  return { published, gateway };
}

export interface InterfaceOptions extends GatewayOptions {
  /**
   * Identity with which users sign in.
   * @default - no sign-in
   */
  readonly identity?: Identity | undefined;
  /**
   * Command that opens the page in a browser and signs the user in.
   * @default - none
   */
  readonly openCommand?: string | undefined;
  /**
   * Origins that replace those of the stacks.
   * @default - the origins of the stacks
   */
  readonly loadBalancers?: LoadBalancers | undefined;
}

/** The service principal of CloudFront, under which it reads objects on behalf of one distribution. */
const CLOUDFRONT = { service: 'cloudfront.amazonaws.com' };
const PAGE = /\.html$/;

function bucketFor(cloud: Cloud, domainName: string, distributionArn: string): Origin['send'] | undefined {
  const { s3, bucketDomains, permissions, lateSites } = cloud;
  const bucket = bucketDomains.get(domainName);
  if (bucket === undefined) return undefined;
  const context = { 'aws:sourcearn': [distributionArn] };
  return bucketOrigin({
    s3,
    bucket,
    allows: (key) =>
      permissions.decide(CLOUDFRONT, { action: 's3:GetObject', resource: `${bucketArn(bucket)}/${key}`, context })
        .allowed,
    ready: async (key) => {
      if (PAGE.test(key)) await Promise.all(lateSites.map((site) => site.ready()));
    },
  });
}

/**
 * Serves the interfaces.
 * @throws LocalError for a setting of the stacks that is not supported here
 */
export function serveInterfaces({ published, gateway: address }: Addresses, cloud: Cloud, options: InterfaceOptions) {
  const { page, identity, openCommand, loadBalancers = cloud.loadBalancers.loadBalancers } = options;
  const gateway = createGateway(buildApis(cloud.apis, cloud.loadBalancers), cloud.functions, {
    ...options,
    metrics: cloud.metrics,
  });
  const apis = new Set(cloud.apis.restApis.map(({ id }) => id));
  const distribution = buildDistribution(cloud.distributions, {
    apis,
    gateway,
    loadBalancers,
    bucket: (domainName, distributionArn) => bucketFor(cloud, domainName, distributionArn),
  });
  address.serve(gateway.listener);
  if (!distribution) return;
  const pages = serveDistribution(distribution, page);
  const { userPools } = cloud;
  const issuer =
    identity && serveIssuer({ identity, userPools, openCommand, origin: `http://${LOOPBACK}:${published.port}` });
  published.serve((incoming, outgoing) => {
    const listener = issuer && incoming.url?.startsWith(PREFIX) ? issuer : pages;
    return listener(incoming, outgoing);
  });
}
