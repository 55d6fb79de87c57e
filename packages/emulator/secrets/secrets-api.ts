/** The API of Secrets Manager on this machine: names, versions, and scheduled deletions. */
import { AwsFault } from '../aws-proxy/aws-fault.ts';
import type { JsonService } from '../aws-proxy/json-service.ts';
import { newArn, partialArn, type Secret, type SecretStore, type SecretVersion } from './secret-store.ts';
import { asInput, asOperation, type Input, type Operation } from './secrets-input.ts';

const DAY = 24 * 60 * 60 * 1000;

/** The messages are those of AWS, because tools rely on them. */
const invalidRequest = (message: string) => new AwsFault(400, 'InvalidRequestException', message);
const isDeleted = () =>
  invalidRequest("You can't perform this operation on the secret because it was marked for deletion.");
const nameIsDeleted = () =>
  invalidRequest("You can't create this secret because a secret with this name is already scheduled for deletion.");
const notFound = () =>
  new AwsFault(400, 'ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
const exists = (message: string) => new AwsFault(400, 'ResourceExistsException', message);

/** Converts a time to the protocol's seconds. */
const seconds = (milliseconds: number) => milliseconds / 1000;

const identity = ({ name, arn }: Secret) => ({ ARN: arn, Name: name });

function describe(secret: Secret): object {
  const { description, tags, createdAt, current, previous, goneAt } = secret;
  return {
    ...identity(secret),
    Description: description,
    Tags: tags,
    CreatedDate: seconds(createdAt),
    LastChangedDate: seconds(current.createdAt),
    ...(goneAt !== undefined && { DeletedDate: seconds(goneAt) }),
    VersionIdsToStages: { [current.id]: ['AWSCURRENT'], ...(previous && { [previous.id]: ['AWSPREVIOUS'] }) },
  };
}

/** Describes a secret in a list, where its versions have another member name. */
function listed(secret: Secret): object {
  const { VersionIdsToStages, ...rest } = describe(secret) as { VersionIdsToStages: object };
  return { ...rest, SecretVersionsToStages: VersionIdsToStages };
}

const written = (secret: Secret) => ({
  ...identity(secret),
  VersionId: secret.current.id,
  VersionStages: ['AWSCURRENT'],
});

type Handlers = { readonly [Name in Operation]: (input: Input<Name>) => object };

function handlersOf(store: SecretStore, now: () => number): Handlers {
  function find(id: string): Secret {
    const secret = store.find(id);
    if (!secret) throw notFound();
    return secret;
  }

  function usable(id: string): Secret {
    const secret = find(id);
    if (secret.goneAt !== undefined) throw isDeleted();
    return secret;
  }

  /** Checks a repeated token: the same request changes nothing, and a request with another value is refused. */
  function isRepeated({ current }: Secret, { ClientRequestToken: id, SecretString }: Input<'PutSecretValue'>): boolean {
    if (current.id !== id) return false;
    if (current.value === SecretString) return true;
    throw exists(`Version ${id} already exists with another value.`);
  }

  const versionOf = ({ ClientRequestToken, SecretString }: Omit<Input<'PutSecretValue'>, 'SecretId'>) =>
    ({ id: ClientRequestToken, value: SecretString, createdAt: now() }) satisfies SecretVersion;

  return {
    CreateSecret(input) {
      const { Name: name, Description: description, Tags: tags } = input;
      const existing = store.find(name);
      if (existing?.goneAt !== undefined) throw nameIsDeleted();
      if (existing && isRepeated(existing, { ...input, SecretId: name })) return written(existing);
      if (existing) throw exists(`The operation failed because the secret ${name} already exists.`);
      const current = versionOf(input);
      const { createdAt } = current;
      const secret = { name, arn: newArn(name), tags, createdAt, current, ...(description && { description }) };
      store.put(secret);
      return written(secret);
    },

    DescribeSecret: ({ SecretId }) => describe(find(SecretId)),

    GetSecretValue({ SecretId, VersionStage }) {
      const secret = usable(SecretId);
      const version = VersionStage === 'AWSCURRENT' ? secret.current : secret.previous;
      if (!version) throw notFound();
      const { id, value, createdAt } = version;
      const of = { VersionId: id, VersionStages: [VersionStage], CreatedDate: seconds(createdAt) };
      return { ...identity(secret), ...of, SecretString: value };
    },

    PutSecretValue(input) {
      const secret = usable(input.SecretId);
      if (isRepeated(secret, input)) return written(secret);
      const changed = { ...secret, current: versionOf(input), previous: secret.current };
      store.put(changed);
      return written(changed);
    },

    ListSecrets({ Filters, IncludePlannedDeletion, MaxResults, NextToken = '' }) {
      const matching = store
        .list()
        .filter(({ goneAt }) => IncludePlannedDeletion || goneAt === undefined)
        .filter(({ name }) => Filters.every(({ Values }) => Values.some((begin) => name.startsWith(begin))))
        .filter(({ name }) => name > NextToken);
      const page = matching.slice(0, MaxResults);
      return { SecretList: page.map(listed), ...(page.length < matching.length && { NextToken: page.at(-1)?.name }) };
    },

    DeleteSecret({ SecretId, RecoveryWindowInDays, ForceDeleteWithoutRecovery }) {
      // A deletion without recovery also ends the time in which a deleted secret can be restored.
      const secret = ForceDeleteWithoutRecovery ? find(SecretId) : usable(SecretId);
      const goneAt = now() + (ForceDeleteWithoutRecovery ? 0 : RecoveryWindowInDays * DAY);
      if (ForceDeleteWithoutRecovery) store.remove(secret);
      else store.put({ ...secret, goneAt });
      return { ...identity(secret), DeletionDate: seconds(goneAt) };
    },

    RestoreSecret({ SecretId }) {
      const { goneAt: _, ...secret } = find(SecretId);
      store.put(secret);
      return identity(secret);
    },
  };
}

/**
 * Creates the API.
 * @param now milliseconds since 1970
 */
export function createSecretsApi(store: SecretStore, now: () => number = Date.now): JsonService {
  const handlers = handlersOf(store, now);
  /** Returns the ARN of a secret. For a secret that does not exist, uses the id in the request. */
  const arnOf = (id: string) => store.find(id)?.arn ?? (id.startsWith('arn:') ? id : partialArn(id));
  return {
    async call(name, input) {
      const operation = asOperation(name);
      const handle = handlers[operation] as (input: Input<Operation>) => object;
      return handle(asInput(operation, input));
    },

    authorization(name, input) {
      const operation = asOperation(name);
      const parsed = asInput(operation, input);
      const action = `secretsmanager:${operation}`;
      if ('SecretId' in parsed) return { action, resource: arnOf(parsed.SecretId) };
      return { action, resource: 'Name' in parsed ? arnOf(parsed.Name) : '*' };
    },
  };
}
