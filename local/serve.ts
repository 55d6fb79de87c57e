/** Opens the interfaces, and a page that says what runs. */
import type { Cloud } from './cloud.ts';
import type { Service } from './fleet/service.ts';
import { buildApis } from './gateway/api.ts';
import { page } from './gateway/page.ts';
import { type Addresses, serveInterfaces } from './interfaces.ts';
import { commandsToTry, type Ready, workersText } from './ready.ts';

/** The endpoint that the stack is for. */
const endpointOf = (stackName: string) => stackName.replace(/^Endpoint-/, '');

export const endpointsOf = ({ fleet }: Cloud): string[] => fleet.services.map(({ name }) => endpointOf(name));

/** The services that run now, by endpoint id. */
export const servicesOf = ({ fleet }: Cloud): ReadonlyMap<string, Service> =>
  new Map([...fleet.running.values()].map((service) => [endpointOf(service.definition.name), service]));

/** How many workers each endpoint has, in words. */
export const workersOf = ({ fleet }: Cloud): string[] =>
  [...fleet.running.values()].map(({ definition, desiredCount }) =>
    workersText(endpointOf(definition.name), desiredCount()),
  );

export function serve(addresses: Addresses, cloud: Cloud, ready: Omit<Ready, 'died'>): void {
  const { apis, distributions, localized } = cloud;
  const stages = [...buildApis(apis).values()];
  const published = distributions.distributions.map(({ domainName }) => ({
    name: 'published (CloudFront)',
    url: localized(`https://${domainName}`),
  }));
  const content = () =>
    page({
      addresses: [...published, ...stages.map(({ name, address }) => ({ name, url: localized(address) }))],
      services: workersOf(cloud),
      commands: commandsToTry(ready, '$API_KEY'),
    });
  serveInterfaces(addresses, cloud, { page: content });
}
