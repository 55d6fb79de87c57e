/** The containers of a registered task definition, in the form in which they run here. */
import type { ContainerDefinition } from './definitions.ts';
import type { RegisteredContainer } from './task-definition-input.ts';

/**
 * Converts a container.
 * @param imageName returns the name of an image in the list of images
 */
function containerOf(container: RegisteredContainer, imageName: (image: string) => string): ContainerDefinition {
  const { name, image, essential, environment, dependsOn, healthCheck, restartPolicy, entryPoint, command } = container;
  const {
    resourceRequirements = [],
    logConfiguration,
    secrets = [],
    repositoryCredentials,
    mountPoints = [],
    portMappings = [],
  } = container;
  const { 'awslogs-group': group, 'awslogs-stream-prefix': streamPrefix } = logConfiguration?.options ?? {};
  const gpus = resourceRequirements.reduce((sum, { value }) => sum + Number(value), 0);
  return {
    name,
    image: imageName(image),
    essential,
    ...(entryPoint && { entryPoint }),
    ...(command && { command }),
    environment: Object.fromEntries(environment.map((variable) => [variable.name, variable.value])),
    ...(secrets.length > 0 && { secrets }),
    ...(repositoryCredentials && { credentials: repositoryCredentials.credentialsParameter }),
    dependsOn: dependsOn.map(({ containerName, condition }) => ({ container: containerName, condition })),
    ...(healthCheck && {
      healthCheck: {
        interval: healthCheck.interval * 1000,
        timeout: healthCheck.timeout * 1000,
        startPeriod: healthCheck.startPeriod * 1000,
        retries: healthCheck.retries,
      },
    }),
    stopTimeout: container.stopTimeout * 1000,
    ...(gpus > 0 && { gpus }),
    ...(group && streamPrefix && { log: { group, streamPrefix } }),
    ...(mountPoints.length > 0 && {
      mountPoints: mountPoints.map(({ sourceVolume: volume, containerPath: path, readOnly = false }) => ({
        volume,
        path,
        readOnly,
      })),
    }),
    ...(portMappings.length > 0 && { ports: portMappings.map(({ containerPort }) => containerPort) }),
    ...(restartPolicy?.enabled && {
      restartPolicy: {
        ignoredExitCodes: restartPolicy.ignoredExitCodes,
        attemptPeriod: restartPolicy.restartAttemptPeriod * 1000,
      },
    }),
  };
}

/**
 * Returns the containers in start order: each container follows its dependencies.
 * @throws Error if ECS would refuse to register them
 */
export function containersInStartOrder(
  registered: readonly RegisteredContainer[],
  imageName: (image: string) => string,
): ContainerDefinition[] {
  const containers = registered.map((container) => containerOf(container, imageName));
  const ordered: ContainerDefinition[] = [];
  const isStarted = (name: string) => ordered.some((container) => container.name === name);
  while (ordered.length < containers.length) {
    const next = containers.find(
      ({ name, dependsOn }) => !isStarted(name) && dependsOn.every(({ container }) => isStarted(container)),
    );
    if (!next) throw new Error('its containers wait for each other');
    const unchecked = next.dependsOn.find(
      ({ container, condition }) =>
        condition === 'HEALTHY' && !ordered.find(({ name }) => name === container)?.healthCheck,
    );
    if (unchecked) throw new Error(`${unchecked.container} has no health check to wait for`);
    ordered.push(next);
  }
  return ordered;
}
