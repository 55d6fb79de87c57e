/** Endpoints with a common template, and the releases of its versions while ECS refuses calls. */
import { portsWith } from '../../aws/ports.ts';
import { createReleasePorts } from '../../aws/releases/ports.ts';
import { type RateOptions, startEcsRates } from './ecs-rates.ts';
import { OWNER, type RollingEndpoint, type RollingPorts, type RollingServices } from './rolling-service.ts';

/** Deploys endpoints without workers that use the template of the first of them. */
export async function deployMany(
  { ports, deploy }: RollingServices,
  name: string,
  count: number,
): Promise<readonly [RollingEndpoint, ...RollingEndpoint[]]> {
  const first = await deploy(`${name}-0`, 0);
  const others: RollingEndpoint[] = [];
  for (let n = 1; n < count; n += 1) {
    const other = await deploy(`${name}-${n}`, 0);
    await ports.templates.associate(first.template, other.id);
    await ports.endpoints.register({ ...other.config, template: first.template, owner: OWNER });
    others.push(other);
  }
  return [first, ...others];
}

/** Returns the images of the revisions that the services run, each with the number of endpoints that run it. */
export function imagesOf(endpoints: readonly RollingEndpoint[]): Readonly<Partial<Record<string, number>>> {
  const images = endpoints.map((endpoint) => endpoint.imageOf(endpoint.runs()) ?? 'none');
  return Object.fromEntries([...Map.groupBy(images, (image) => image)].map(([image, its]) => [image, its.length]));
}

/** Calls a function with the ports of a new process, whose calls to ECS are limited to the rates of ECS. */
export async function atRates<Result>(
  { ports }: RollingServices,
  options: Omit<RateOptions, 'url'>,
  act: (ports: RollingPorts) => Promise<Result>,
) {
  const url = process.env.AWS_ENDPOINT_URL_ECS ?? '';
  const rates = await startEcsRates({ url, ...options });
  process.env.AWS_ENDPOINT_URL_ECS = rates.url;
  try {
    const { revisions, services } = createReleasePorts();
    const [result] = await Promise.allSettled([act(portsWith(ports, { revisions, services }))]);
    return { result, figures: rates.figures };
  } finally {
    process.env.AWS_ENDPOINT_URL_ECS = url;
    await rates.stop();
  }
}
