/** Opens the interfaces, and a page that says what runs. */
import type { Cloud } from '../cloud.ts';
import type { Identity } from '../cognito/identity.ts';
import type { Service } from '../ecs/service.ts';
import { buildApis } from '../gateway/api.ts';
import { page } from '../gateway/page.ts';
import { type Addresses, serveInterfaces } from './interfaces.ts';
import { commandsToTry, type Ready, workersText } from './ready.ts';

const ENDPOINT = /^Endpoint-(?<endpoint>.+)$/;

/** The endpoint that the stack is for, if it is for one: a service of another stack, such as the ingress, has no workers. */
const endpointOf = (stackId: string): string | undefined => ENDPOINT.exec(stackId)?.groups?.endpoint;

/** Those that are of endpoints, by endpoint id. */
function byEndpoint<Its>(all: Iterable<Its>, stackOf: (its: Its) => string): Map<string, Its> {
  const pairs = [...all].flatMap((its): [string, Its][] => {
    const endpoint = endpointOf(stackOf(its));
    return endpoint === undefined ? [] : [[endpoint, its]];
  });
  return new Map(pairs);
}

export const endpointsOf = ({ ecs }: Cloud): string[] => [...byEndpoint(ecs.services, ({ name }) => name).keys()];

/** The services of endpoints that run now, by endpoint id. */
export const servicesOf = ({ ecs }: Cloud): ReadonlyMap<string, Service> =>
  byEndpoint(ecs.running.values(), ({ definition }) => definition.name);

/** How many workers each endpoint has, in words. */
export const workersOf = (cloud: Cloud): string[] =>
  [...servicesOf(cloud)].map(([endpoint, { desiredCount }]) => workersText(endpoint, desiredCount()));

/** What starts with a service, in words; undefined if nothing does. */
export function startingText({ definition, desiredCount }: Service): string | undefined {
  const count = desiredCount();
  if (count === 0) return undefined;
  if (endpointOf(definition.name) !== undefined)
    return `Starting ${count} ${count === 1 ? 'worker' : 'workers'} of ${definition.name} ...`;
  const { name } = definition.taskDefinition.containers.at(-1) ?? definition;
  return count === 1 ? `Starting the ${name} ...` : `Starting ${count} tasks of the ${name} ...`;
}

const CONSOLE = '/console/';

/** Path of the console, if the distribution has it. */
const consoleOf = ({ distributions }: Cloud): string | undefined =>
  distributions.distributions.some(({ properties }) =>
    properties.DistributionConfig.CacheBehaviors.some(({ PathPattern }) => PathPattern === `${CONSOLE}*`),
  )
    ? CONSOLE
    : undefined;

export function serve(addresses: Addresses, cloud: Cloud, identity: Identity, ready: Omit<Ready, 'died'>): void {
  const { apis, distributions, loadBalancers, localized } = cloud;
  const stages = [...buildApis(apis, loadBalancers).values()];
  const published = distributions.distributions.map(({ domainName }) => ({
    name: 'published (CloudFront)',
    url: localized(`https://${domainName}`),
  }));
  const content = () =>
    page({
      addresses: [...published, ...stages.map(({ name, address }) => ({ name, url: localized(address) }))],
      services: workersOf(cloud),
      commands: commandsToTry(ready, '$API_KEY'),
      console: consoleOf(cloud),
    });
  serveInterfaces(addresses, cloud, { page: content, identity });
}
