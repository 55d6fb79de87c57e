/** Reads the secrets of a task's containers before they start, with the task's execution role. */
import type { JsonService } from '../aws-proxy/json-service.ts';
import type { Access } from '../iam/evaluate.ts';
import type { ContainerDefinition, TaskDefinition } from './definitions.ts';
import { rules } from './rules.ts';

/**
 * Reads the value of a secret under a role.
 * @param id an ARN, with or without the suffix that AWS adds
 * @throws AwsFault an error of IAM or of Secrets Manager
 */
export type ReadSecret = (roleArn: string, id: string) => Promise<string>;

/**
 * Authorizes an action of a role.
 * @throws AwsFault if the action is denied
 */
type Authorize = (roleArn: string, access: Access) => void;

export function secretReader(secrets: JsonService, authorize: Authorize): ReadSecret {
  return async (roleArn, SecretId) => {
    const input = { SecretId };
    authorize(roleArn, secrets.authorization('GetSecretValue', input));
    const caller = { roleArn, sessionArn: roleArn };
    const { SecretString } = (await secrets.call('GetSecretValue', input, caller)) as { SecretString: string };
    return SecretString;
  };
}

/** Secret variables of the containers, by container name. */
export type TaskSecrets = ReadonlyMap<string, Readonly<Record<string, string>>>;

const { secretsAreRead, credentialsAreRead } = rules;

const notReadable = (prefix: string, id: string, error: unknown) => {
  const { name, message } = error as Error;
  return new Error(`${prefix}${id} from secrets manager: ${name}: ${message}`, { cause: secretsAreRead.value.error });
};

/**
 * Returns whether a value has the format of a registry's credentials. The credentials are not used, because no
 * image is pulled.
 */
function isLogin(value: string): boolean {
  try {
    const { username, password } = JSON.parse(value) as Readonly<Record<string, unknown>>;
    return typeof username === 'string' && username !== '' && typeof password === 'string' && password !== '';
  } catch {
    return false;
  }
}

/**
 * Reads the secrets of a task.
 * @throws Error with the reason why the task cannot start. Its cause is the name of the failure in ECS, and its
 *   message names secrets but never contains their values
 */
export async function readTaskSecrets(
  { executionRoleArn = '', containers }: TaskDefinition,
  read: ReadSecret | undefined,
): Promise<TaskSecrets> {
  async function get(prefix: string, id: string): Promise<string> {
    if (!read) throw new Error('Secrets Manager is not available here');
    return read(executionRoleArn, id).catch((error: unknown) => {
      throw notReadable(prefix, id, error);
    });
  }

  async function checkLogin({ image, credentials }: ContainerDefinition): Promise<void> {
    if (credentials === undefined) return;
    const value = await get(credentialsAreRead.value.prefix, credentials);
    if (isLogin(value)) return;
    const reason = `image ${image} cannot be pulled: ${credentials} does not contain a username and a password`;
    throw new Error(reason, { cause: rules.cannotPull.value.error });
  }

  const ofTask = new Map<string, Record<string, string>>();
  for (const container of containers) {
    await checkLogin(container);
    const variables: [string, string][] = [];
    for (const { name, valueFrom } of container.secrets ?? [])
      variables.push([name, await get(secretsAreRead.value.prefix, valueFrom)]);
    ofTask.set(container.name, Object.fromEntries(variables));
  }
  return ofTask;
}
