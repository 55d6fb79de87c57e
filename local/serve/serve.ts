/** Serves the interfaces, and a page that lists the running services. */
import type { Cloud } from '../cloud.ts';
import type { Identity } from '../cognito/identity.ts';
import type { Service } from '../ecs/service.ts';
import { buildApis } from '../gateway/api.ts';
import { page } from '../gateway/page.ts';
import type { Product } from '../product.ts';
import { awaitedSecrets } from '../secrets/awaited-secrets.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import { type Addresses, serveInterfaces } from './interfaces.ts';
import { commandsToTry, type Ready, workersText } from './ready.ts';

type Endpoints = Pick<Product, 'endpointOf'>;

/**
 * Selects the resources of endpoints, by endpoint id. A stack without an endpoint, such as the ingress, has no
 * workers.
 */
function byEndpoint<Its>(
  { endpointOf }: Endpoints,
  all: Iterable<Its>,
  stackOf: (its: Its) => string,
): Map<string, Its> {
  const pairs = [...all].flatMap((its): [string, Its][] => {
    const endpoint = endpointOf(stackOf(its));
    return endpoint === undefined ? [] : [[endpoint, its]];
  });
  return new Map(pairs);
}

export const endpointsOf = (product: Endpoints, { ecs }: Cloud): string[] => [
  ...byEndpoint(product, ecs.services, ({ name }) => name).keys(),
];

/** Returns the running services of endpoints, by endpoint id. */
export const servicesOf = (product: Endpoints, { ecs }: Cloud): ReadonlyMap<string, Service> =>
  byEndpoint(product, ecs.running.values(), ({ definition }) => definition.name);

type Workers = Endpoints & Pick<Product, 'secretCommand'>;

/** Describes how many workers each endpoint has, and why it can have none. */
export const workersOf = (product: Workers, cloud: Cloud, secrets: Pick<SecretStore, 'find'>): string[] =>
  [...servicesOf(product, cloud)].map(([endpoint, { desiredCount, deployments }]) => {
    const missing = deployments()
      .slice(0, 1)
      .flatMap(({ taskDefinition }) => awaitedSecrets(taskDefinition, secrets));
    return workersText(product, endpoint, desiredCount(), missing);
  });

/** Describes the tasks that a service starts; undefined if it starts none. */
export function startingText(product: Product, { definition, desiredCount }: Service): string | undefined {
  const count = desiredCount();
  if (count === 0) return undefined;
  if (product.endpointOf(definition.name) !== undefined)
    return `Starting ${count} ${count === 1 ? 'worker' : 'workers'} of ${definition.name} ...`;
  const { name } = product.containers.userContainer(definition.taskDefinition.containers) ?? definition;
  return count === 1 ? `Starting the ${name} ...` : `Starting ${count} tasks of the ${name} ...`;
}

/** Returns the path of the console, if the distribution has it. */
const consoleOf = ({ console: { path } }: Product, { distributions }: Cloud): string | undefined =>
  distributions.distributions.some(({ properties }) =>
    properties.DistributionConfig.CacheBehaviors.some(({ PathPattern }) => PathPattern === `${path}*`),
  )
    ? path
    : undefined;

export function serve(
  product: Product,
  addresses: Addresses,
  cloud: Cloud,
  identity: Identity,
  ready: Omit<Ready, 'died'>,
  secrets: Pick<SecretStore, 'find'>,
): void {
  const { apis, distributions, loadBalancers, localized } = cloud;
  const stages = [...buildApis(apis, loadBalancers).values()];
  const published = distributions.distributions.map(({ domainName }) => ({
    name: 'published (CloudFront)',
    url: localized(`https://${domainName}`),
  }));
  const content = () =>
    page({
      title: `${product.name} on this machine`,
      addresses: [...published, ...stages.map(({ name, address }) => ({ name, url: localized(address) }))],
      services: workersOf(product, cloud, secrets),
      commands: commandsToTry(product, ready, '$API_KEY'),
      console: consoleOf(product, cloud),
    });
  serveInterfaces(addresses, cloud, { page: content, identity, slowBodies: product.slowBodies });
}
