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
import { AGENT, type Container, ReleaseRefused, type TaskDefinition, WORKER } from './task-definition.ts';
import { withVolume } from './volume.ts';

/** Image of a blueprint, which does not know the template's. */
export const PLACEHOLDER_IMAGE = 'set-by-the-template';

/** GB that each task on Fargate has by default; Fargate accepts no number up to it. */
const FARGATE_DISK = 20;

/** Bytes of the largest task definition that ECS accepts. */
const LARGEST_DEFINITION = 65_536;

/** Finds the ARNs of the secrets and logins that templates name. */
export type SecretFinder = Pick<Vault, 'find'>;

export interface Composition {
  /** Everything that a deployment decides. */
  readonly blueprint: TaskDefinition;
  /** Family in which the definition will be registered. */
  readonly family: string;
  readonly template: Template;
  /** The endpoint's capacity. @default - unknown, and nothing is refused for it */
  readonly place?: Place;
}

/** Returns the variables whose values are secrets of the vault. */
async function secretsOf(finder: SecretFinder, env: WorkerSettings['env']) {
  const secrets: { readonly name: string; readonly valueFrom: string }[] = [];
  for (const [name, value] of Object.entries(env)) {
    const read = readEnvValue(value);
    if (read.is !== 'secret') continue;
    const valueFrom = await finder.find('env', read.name);
    if (valueFrom === undefined)
      throw new ReleaseRefused(`\`env.${name}\` names the secret ${read.name}, which does not exist.`);
    secrets.push({ name, valueFrom });
  }
  return secrets;
}

async function credentialsOf(finder: SecretFinder, id: string | undefined) {
  if (id === undefined) return {};
  const credentialsParameter = await finder.find('registryAuth', id);
  if (credentialsParameter === undefined)
    throw new ReleaseRefused(`\`containerRegistryAuthId\` names ${id}, which does not exist.`);
  return { repositoryCredentials: { credentialsParameter } };
}

/** Whether the service alone sets the variable: the template's `env` may only change how RunPod's SDK behaves. */
const isOurs = (name: string) => !Object.hasOwn(defaultVariables, name);

/**
 * Merges the container's variables: our defaults, then those of the template, then those that the service alone sets.
 */
async function environmentOf(finder: SecretFinder, { environment = [] }: Container, env: WorkerSettings['env']) {
  const ours = new Set(environment.map(({ name }) => name).filter(isOurs));
  const theirs = Object.fromEntries(Object.entries(env).filter(([name]) => !ours.has(name)));
  const secrets = await secretsOf(finder, theirs);
  const kept = environment.filter(({ name }) => !Object.hasOwn(theirs, name));
  const secret = new Set(secrets.map(({ name }) => name));
  const said = Object.entries(theirs).flatMap(([name, value]) => (secret.has(name) ? [] : [{ name, value }]));
  return { environment: [...kept, ...said], ...(secrets.length > 0 && { secrets }) };
}

/** Returns the port mappings: two protocols of one number are one port. */
const mappingsOf = (ports: readonly string[]) =>
  [...new Set(ports.map(portNumber))].map((containerPort) => ({ containerPort, protocol: 'tcp' }));

async function workerOf(finder: SecretFinder, container: Container, template: WorkerSettings): Promise<Container> {
  const { imageName, dockerEntrypoint, dockerStartCmd, ports } = template;
  return {
    ...container,
    image: imageName,
    ...(await environmentOf(finder, container, template.env)),
    ...(await credentialsOf(finder, template.containerRegistryAuthId)),
    ...(dockerEntrypoint.length > 0 && { entryPoint: dockerEntrypoint }),
    ...(dockerStartCmd.length > 0 && { command: dockerStartCmd }),
    ...(ports.length > 0 && { portMappings: mappingsOf(ports) }),
  };
}

/** Returns the disk size on Fargate; a task on instances has no such setting. */
const diskOf = ({ requiresCompatibilities }: TaskDefinition, sizeInGiB: number) =>
  requiresCompatibilities?.includes('FARGATE') && sizeInGiB > FARGATE_DISK ? { ephemeralStorage: { sizeInGiB } } : {};

/** Returns the port of the blueprint's agent, which may be of another version than this code. */
function agentPortOf({ containerDefinitions }: TaskDefinition): number | undefined {
  const { environment = [] } = containerDefinitions.find(({ name }) => name === AGENT) ?? {};
  const port = environment.find(({ name }) => name === 'AGENT_PORT')?.value;
  return port === undefined ? undefined : Number(port);
}

function check({ blueprint, template, place = {} }: Composition): void {
  const ports = portRefusals(template.ports, agentPortOf(blueprint));
  const why = refusalSentence([...capacityRefusals({ ...template, ports: [] }, place), ...ports]);
  if (why !== undefined) throw new ReleaseRefused(why);
}

/**
 * Composes a task definition from a blueprint and a template. The blueprint has all that a deployment decides: agent,
 * roles, size of a worker, and a container for the template, with a placeholder for its image and our variables. It has
 * a family of its own, which no service runs, so that no deployment can come before a release. The template has the
 * rest.
 * @throws ReleaseRefused if the endpoint cannot run the template, or the template names a secret that does not exist
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
  if (bytes > LARGEST_DEFINITION)
    throw new ReleaseRefused(
      `The template makes a task definition of ${bytes} bytes, and ECS takes ${LARGEST_DEFINITION}: shorten \`env\`.`,
    );
  return definition;
}
