import { capacityRefusals, type Place, portNumber, portRefusals, refusalSentence } from '../templates/capacity-rules.ts';
import type { Template, WorkerSettings } from '../templates/template.ts';
import { readEnvValue, type Vault } from '../templates/vault.ts';
import { defaultVariables } from '../workers/protocol.ts';
import { AGENT, type Container, ReleaseRefused, type TaskDefinition, WORKER } from './task-definition.ts';
import { withVolume } from './volume.ts';

/** What a blueprint has in place of the template's image, which it does not know. */
export const PLACEHOLDER_IMAGE = 'set-by-the-template';

/** GB that each task on Fargate has without saying so; it takes no number up to it. */
const FARGATE_DISK = 20;

/** Bytes that ECS takes of a task definition. */
const LARGEST_DEFINITION = 65_536;

/** Where the ARNs of what templates name are found. */
export type SecretFinder = Pick<Vault, 'find'>;

export interface Composition {
  /** All that a deployment decides. */
  readonly blueprint: TaskDefinition;
  /** Where it will be registered. */
  readonly family: string;
  readonly template: Template;
  /** What the endpoint's record says of its capacity. @default - nothing, and nothing is refused for it */
  readonly place?: Place;
}

/** The environment of one name of the vault each, in place of a value. */
async function secretsOf(finder: SecretFinder, env: WorkerSettings['env']) {
  const secrets: { readonly name: string; readonly valueFrom: string }[] = [];
  for (const [name, value] of Object.entries(env)) {
    const read = readEnvValue(value);
    if (read.is !== 'secret') continue;
    const valueFrom = await finder.find('env', read.name);
    if (valueFrom === undefined)
      throw new ReleaseRefused(`\`env.${name}\` names the secret ${read.name}, which is not there.`);
    secrets.push({ name, valueFrom });
  }
  return secrets;
}

async function credentialsOf(finder: SecretFinder, id: string | undefined) {
  if (id === undefined) return {};
  const credentialsParameter = await finder.find('registryAuth', id);
  if (credentialsParameter === undefined)
    throw new ReleaseRefused(`\`containerRegistryAuthId\` names ${id}, which is not there.`);
  return { repositoryCredentials: { credentialsParameter } };
}

/** What is set by us of a container: the template's `env` may only change how the original's SDK behaves. */
const isOurs = (name: string) => !Object.hasOwn(defaultVariables, name);

/** Variables of the container: ours, those of the template, and over them those of ours that are no defaults. */
async function environmentOf(finder: SecretFinder, { environment = [] }: Container, env: WorkerSettings['env']) {
  const ours = new Set(environment.map(({ name }) => name).filter(isOurs));
  const theirs = Object.fromEntries(Object.entries(env).filter(([name]) => !ours.has(name)));
  const secrets = await secretsOf(finder, theirs);
  const kept = environment.filter(({ name }) => !Object.hasOwn(theirs, name));
  const secret = new Set(secrets.map(({ name }) => name));
  const said = Object.entries(theirs).flatMap(([name, value]) => (secret.has(name) ? [] : [{ name, value }]));
  return { environment: [...kept, ...said], ...(secrets.length > 0 && { secrets }) };
}

/** Two protocols of one number are one port. */
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

/** On instances nothing of a task says how large its disk is. */
const diskOf = ({ requiresCompatibilities }: TaskDefinition, sizeInGiB: number) =>
  requiresCompatibilities?.includes('FARGATE') && sizeInGiB > FARGATE_DISK ? { ephemeralStorage: { sizeInGiB } } : {};

/** Where the agent of the blueprint listens, which may be of another version than this. */
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
 * The blueprint has all that a deployment decides: agent, roles, size of a worker, and a container for the template, with a
 * placeholder for its image and our variables. It lies in a family of its own, of which nothing ever runs, so that no
 * deployment can come before a release. The template says the rest.
 * @throws ReleaseRefused if the endpoint cannot run the template, or what the template names is not there
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
