/** Serves the interfaces, and a page that lists the running services. */
import type { Cloud } from '../cloud.ts';
import type { Identity } from '../cognito/identity.ts';
import type { Service } from '../ecs/service.ts';
import { mainContainerOf } from '../ecs/task-ports.ts';
import { buildApis } from '../gateway/api.ts';
import { page } from '../gateway/page.ts';
import type { Product } from '../product.ts';
import { awaitedSecrets } from '../secrets/awaited-secrets.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import { type Addresses, serveInterfaces } from './interfaces.ts';
import type { SiteBuild } from './late-site.ts';
import { examplesOf, type Ready } from './ready.ts';
import { plainTexts } from './service-texts.ts';

type Services = Pick<Product, 'services'>;

/** Selects the resources of the listed services, by name. */
function byName<Its>(
  { services: { nameOf } = plainTexts }: Services,
  all: Iterable<Its>,
  stackOf: (its: Its) => string,
): Map<string, Its> {
  const pairs = [...all].flatMap((its): [string, Its][] => {
    const name = nameOf(stackOf(its));
    return name === undefined ? [] : [[name, its]];
  });
  return new Map(pairs);
}

export const serviceNames = (product: Services, { ecs }: Cloud): string[] => [
  ...byName(product, ecs.services, ({ name }) => name).keys(),
];

/** Returns the running services that are listed, by name. */
export const servicesOf = (product: Services, { ecs }: Cloud): ReadonlyMap<string, Service> =>
  byName(product, ecs.running.values(), ({ definition }) => definition.name);

/** Describes how many tasks each listed service has, and why it can have none. */
export const statesOf = (product: Services, cloud: Cloud, secrets: Pick<SecretStore, 'find'>): string[] =>
  [...servicesOf(product, cloud)].map(([name, { desiredCount, deployments }]) => {
    const missing = deployments()
      .slice(0, 1)
      .flatMap(({ taskDefinition }) => awaitedSecrets(taskDefinition, secrets));
    return (product.services ?? plainTexts).stateOf(name, desiredCount(), missing);
  });

/** Describes the tasks that a service starts; undefined if it starts none. */
export function startingText(product: Product, { definition, desiredCount }: Service): string | undefined {
  const tasks = desiredCount();
  if (tasks === 0) return undefined;
  const { name: container } = mainContainerOf(product.containers, definition.taskDefinition.containers) ?? definition;
  return (product.services ?? plainTexts).startOf({ stackId: definition.name, tasks, container });
}

/** Returns the site, if the distribution has it. */
const siteOf = ({ site }: Product, { distributions }: Cloud): SiteBuild | undefined =>
  distributions.distributions.some(({ properties }) =>
    properties.DistributionConfig.CacheBehaviors.some(({ PathPattern }) => site && PathPattern === `${site.path}*`),
  )
    ? site
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
      services: { title: (product.services ?? plainTexts).title, states: statesOf(product, cloud, secrets) },
      commands: examplesOf(product, ready, false)?.commands ?? [],
      site: siteOf(product, cloud),
    });
  serveInterfaces(addresses, cloud, {
    page: content,
    identity,
    slowBodies: product.slowBodies,
    openCommand: product.openCommand,
  });
}
