/**
 * Secrets that task definitions name and that have no value yet. While the stacks are deployed, such a secret appears
 * to exist without a value. The deployment can then continue, so that the user can create the secret in the running
 * service. Until then, only the tasks that need the secret cannot start.
 */
import type { JsonService } from '../aws-proxy/json-service.ts';
import type { TaskDefinition } from '../ecs/definitions.ts';
import { partialArn, type Secret, type SecretStore } from './secret-store.ts';

type Containers = Pick<TaskDefinition, 'containers'>;

const hasValue = (store: Pick<SecretStore, 'find'>, id: string): boolean => {
  const secret = store.find(id);
  return secret !== undefined && secret.goneAt === undefined;
};

/** Describes secrets without a value as secrets that exist, while `isDeploying` returns true. */
export function describeAwaited(
  api: JsonService,
  store: Pick<SecretStore, 'find'>,
  isDeploying: () => boolean,
): JsonService {
  return {
    ...api,
    async call(operation, input, caller) {
      const { SecretId } = input as { readonly SecretId?: unknown };
      const isAwaited = operation === 'DescribeSecret' && typeof SecretId === 'string' && !hasValue(store, SecretId);
      if (!isAwaited || !isDeploying()) return api.call(operation, input, caller);
      return { ARN: store.find(SecretId)?.arn ?? partialArn(SecretId), Name: SecretId };
    },
  };
}

/** Returns the ARNs of the secrets of a task. */
const secretsOf = ({ containers }: Containers): string[] => [
  ...new Set(
    containers.flatMap(({ secrets = [], credentials }) => [
      ...secrets.map(({ valueFrom }) => valueFrom),
      ...(credentials === undefined ? [] : [credentials]),
    ]),
  ),
];

/** Returns whether a task names the secret. */
export const needsSecret = (task: Containers, { arn, name }: Pick<Secret, 'arn' | 'name'>): boolean =>
  secretsOf(task).some((id) => id === arn || id === partialArn(name));

/** Calls `arrived` with each secret that gets a value and had none. */
export function watchAwaited(store: SecretStore, arrived: (secret: Secret) => void): SecretStore {
  return {
    ...store,
    put(secret) {
      const isNew = !hasValue(store, secret.name);
      store.put(secret);
      if (isNew && hasValue(store, secret.name)) arrived(secret);
    },
  };
}

/** Returns the names of the secrets of a task that have no value. */
export function awaitedSecrets(task: Containers, store: Pick<SecretStore, 'find'>): string[] {
  const prefix = partialArn('');
  return secretsOf(task)
    .filter((id) => !hasValue(store, id))
    .map((id) => store.find(id)?.name ?? (id.startsWith(prefix) ? id.slice(prefix.length) : id));
}
