import * as z from 'zod/mini';
import { cachedImage } from '../templates/cached-image.ts';
import {
  capacityRefusals,
  type Place,
  portNumber,
  portRefusals,
  refusalSentence,
} from '../templates/capacity-rules.ts';
import type { Template, WorkerSettings } from '../templates/template.ts';
import { readEnvValue, type Vault } from '../templates/vault.ts';
import { defaultVariables } from '../workers/protocol.ts';
import { AGENT, type Container, IMAGE_CACHES, ReleaseRefused, type TaskDefinition, WORKER } from './task-definition.ts';
import { withVolume } from './volume.ts';

/** Placeholder image of a blueprint. The template contains the actual image. */
export const PLACEHOLDER_IMAGE = 'set-by-the-template';

/** Default disk of a Fargate task in GB. Fargate only accepts larger sizes. */
const FARGATE_DISK = 20;

/** Maximum size of a task definition in ECS, in bytes. */
const MAX_DEFINITION_BYTES = 65_536;

const cachesSchema = z.record(z.string(), z.string());

/** Finds the ARNs of secrets and registry logins by the names in templates. */
export type SecretFinder = Pick<Vault, 'find'>;

export interface Composition {
  /** Task definition with all settings from the deployment. */
  readonly blueprint: TaskDefinition;
  /** Family in which the definition is registered. */
  readonly family: string;
  readonly template: Template;
  /**
   * The endpoint's capacity.
   * @default - the caller has checked that it supports the template
   */
  readonly place?: Place;
}

/** Returns the variables that refer to secrets. */
async function secretsOf(finder: SecretFinder, env: WorkerSettings['env']) {
  const secrets: { readonly name: string; readonly valueFrom: string }[] = [];
  for (const [name, value] of Object.entries(env)) {
    const read = readEnvValue(value);
    if (read.is !== 'secret') continue;
    const valueFrom = await finder.find('env', read.name);
    if (valueFrom === undefined)
      throw new ReleaseRefused(
        `\`env.${name}\` refers to secret ${read.name}, which does not exist: create it, or change \`env\`.`,
      );
    secrets.push({ name, valueFrom });
  }
  return secrets;
}

async function credentialsOf(finder: SecretFinder, id: string | undefined) {
  if (id === undefined) return {};
  const credentialsParameter = await finder.find('registryAuth', id);
  if (credentialsParameter === undefined)
    throw new ReleaseRefused(
      `\`containerRegistryAuthId\` is ${id}, which does not exist: create the login, or change the id.`,
    );
  return { repositoryCredentials: { credentialsParameter } };
}

/**
 * Returns whether only the service can set the variable. The template's `env` can override the settings of
 * RunPod's SDK.
 */
const isReserved = (name: string) => !Object.hasOwn(defaultVariables, name);

/**
 * Merges the container's variables. The template's variables override defaults, but not variables that only the
 * service sets.
 */
async function environmentOf(finder: SecretFinder, { environment = [] }: Container, env: WorkerSettings['env']) {
  const reserved = new Set(environment.map(({ name }) => name).filter(isReserved));
  const fromTemplate = Object.fromEntries(Object.entries(env).filter(([name]) => !reserved.has(name)));
  const secrets = await secretsOf(finder, fromTemplate);
  const kept = environment.filter(({ name }) => !Object.hasOwn(fromTemplate, name));
  const secret = new Set(secrets.map(({ name }) => name));
  const values = Object.entries(fromTemplate).flatMap(([name, value]) => (secret.has(name) ? [] : [{ name, value }]));
  return { environment: [...kept, ...values], ...(secrets.length > 0 && { secrets }) };
}

/** Returns the port mappings, one for each port number, even if it has two protocols. */
const mappingsOf = (ports: readonly string[]) =>
  [...new Set(ports.map(portNumber))].map((containerPort) => ({ containerPort, protocol: 'tcp' }));

/** Returns the image to pull. A cache has only what its own login can pull, so images with a login are not cached. */
function imageOf({ dockerLabels }: Container, { imageName, containerRegistryAuthId }: WorkerSettings): string {
  const caches = dockerLabels?.[IMAGE_CACHES];
  if (caches === undefined || containerRegistryAuthId !== undefined) return imageName;
  return cachedImage(z.parse(cachesSchema, JSON.parse(caches)), imageName);
}

async function workerOf(finder: SecretFinder, container: Container, template: WorkerSettings): Promise<Container> {
  const { dockerEntrypoint, dockerStartCmd, ports } = template;
  return {
    ...container,
    image: imageOf(container, template),
    ...(await environmentOf(finder, container, template.env)),
    ...(await credentialsOf(finder, template.containerRegistryAuthId)),
    ...(dockerEntrypoint.length > 0 && { entryPoint: dockerEntrypoint }),
    ...(dockerStartCmd.length > 0 && { command: dockerStartCmd }),
    ...(ports.length > 0 && { portMappings: mappingsOf(ports) }),
  };
}

/** Returns the disk size of a Fargate task. Tasks on instances do not have this setting. */
const diskOf = ({ requiresCompatibilities }: TaskDefinition, sizeInGiB: number) =>
  requiresCompatibilities?.includes('FARGATE') && sizeInGiB > FARGATE_DISK ? { ephemeralStorage: { sizeInGiB } } : {};

/** Returns the port of the blueprint's agent, whose version can differ from the version of this code. */
function agentPortOf({ containerDefinitions }: TaskDefinition): number | undefined {
  const { environment = [] } = containerDefinitions.find(({ name }) => name === AGENT) ?? {};
  const port = environment.find(({ name }) => name === 'AGENT_PORT')?.value;
  return port === undefined ? undefined : Number(port);
}

function check({ blueprint, template, place }: Composition): void {
  const ports = portRefusals(template.ports, agentPortOf(blueprint));
  const reason = refusalSentence([...capacityRefusals({ ...template, ports: [] }, place), ...ports]);
  if (reason !== undefined) throw new ReleaseRefused(reason);
}

/**
 * Composes a task definition from a blueprint and a template. The blueprint contains all settings from the
 * deployment: agent, roles, size of a worker, and a container with a placeholder image and the service's
 * variables. No service runs the blueprint's family, so a deployment cannot bypass a release. All other settings
 * come from the template.
 * @throws ReleaseRefused if the endpoint cannot run the template, or the template names a secret that does not
 * exist
 */
export async function compose(finder: SecretFinder, composition: Composition): Promise<TaskDefinition> {
  check(composition);
  const { family, template } = composition;
  const blueprint = withVolume(composition.blueprint, { gb: template.volumeInGb, path: template.volumeMountPath });
  const containerDefinitions = await Promise.all(
    blueprint.containerDefinitions.map((container) =>
      container.name === WORKER ? workerOf(finder, container, template) : container,
    ),
  );
  const definition = { ...blueprint, ...diskOf(blueprint, template.containerDiskInGb), family, containerDefinitions };
  const bytes = Buffer.byteLength(JSON.stringify(definition));
  if (bytes > MAX_DEFINITION_BYTES)
    throw new ReleaseRefused(
      `The task definition has ${bytes} bytes; ECS accepts at most ${MAX_DEFINITION_BYTES}: shorten \`env\` of the template.`,
    );
  return definition;
}
