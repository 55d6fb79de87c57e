/** The resources that remain when their stack is deleted, and the commands that delete them for good. */
import type { Account, StackEvent, StackResource, TableSize } from './account.ts';

export interface Kept {
  readonly type: string;
  /** Name or id in AWS. */
  readonly name: string;
  /** Size of a table, some hours ago. */
  readonly size?: TableSize;
  /** What the resource is. */
  readonly what: string;
  /**
   * Whether AWS created it for a resource of the stack, so that no stack has it.
   * @default - a stack created it
   */
  readonly isOutside?: true;
  /**
   * Commands that delete it, in their order.
   * @default - no command is known
   */
  readonly commands: readonly string[];
}

interface Rule {
  readonly what: string;
  /** Whether the resource is deleted, and what AWS has created for it remains. */
  readonly isOutside?: true;
  /** Commands of `aws`, without the word `aws` and the Region at their end. */
  commands(name: string, region: string): readonly string[];
}

const TABLE = 'AWS::DynamoDB::Table';
/** Groups of a user pool are deleted with it. */
const PART_OF_ANOTHER = new Set(['AWS::Cognito::UserPoolGroup']);

const rules: Readonly<Record<string, Rule>> = {
  [TABLE]: {
    what: 'table',
    commands: (name) => [
      `dynamodb update-table --table-name ${name} --no-deletion-protection-enabled`,
      // A table whose setting changes cannot be deleted.
      `dynamodb wait table-exists --table-name ${name}`,
      `dynamodb delete-table --table-name ${name}`,
    ],
  },
  'AWS::S3::Bucket': { what: 'bucket of payloads', commands: (name) => [`s3 rb s3://${name} --force`] },
  'AWS::KMS::Key': {
    what: 'key of secrets',
    commands: (name) => [`kms schedule-key-deletion --key-id ${name} --pending-window-in-days 30`],
  },
  'AWS::EFS::FileSystem': {
    what: 'file system of volumes',
    commands: (name) => [`efs delete-file-system --file-system-id ${name}`],
  },
  'AWS::Cognito::UserPool': {
    what: 'user pool of the console',
    commands: (name) => [
      // Resets the other settings of the pool, which the next command deletes.
      `cognito-idp update-user-pool --user-pool-id ${name} --deletion-protection INACTIVE`,
      `cognito-idp delete-user-pool --user-pool-id ${name}`,
    ],
  },
  'AWS::ECR::RepositoryCreationTemplate': {
    what: 'cached images, if workers have pulled any, in the repositories below',
    isOutside: true,
    commands: (name, region) => [
      `ecr describe-repositories --query "repositories[?starts_with(repositoryName,'${name}/')].repositoryName" --output text --region ${region} | xargs -n 1 | xargs -rI {} aws ecr delete-repository --force --repository-name {}`,
    ],
  },
};

const isOutside = (type: string) => rules[type]?.isOutside === true;

function keptOf({ type, name }: Pick<StackResource, 'type' | 'name'>, region: string): Kept {
  const { what = `resource of type ${type}`, commands = () => [] } = rules[type] ?? {};
  const lines = commands(name, region).map((command) => `aws ${command} --region ${region}`);
  return { type, name, what, ...(isOutside(type) && { isOutside: true }), commands: lines };
}

async function sized(account: Pick<Account, 'tableSize'>, kept: Kept): Promise<Kept> {
  const size = kept.type === TABLE ? await account.tableSize(kept.name) : undefined;
  return size ? { ...kept, size } : kept;
}

/** Returns what remains of these resources, with the sizes of tables. */
export function keptAmong(
  account: Pick<Account, 'tableSize'>,
  resources: readonly StackResource[],
  region: string,
): Promise<Kept[]> {
  const retained = resources.filter(
    ({ isRetained, type }) => (isRetained && !PART_OF_ANOTHER.has(type)) || isOutside(type),
  );
  return Promise.all(retained.map((resource) => sized(account, keptOf(resource, region))));
}

/** Returns what remains of a deleted stack. An operator may have deleted it since. */
export function keptBy(
  account: Pick<Account, 'tableSize'>,
  events: readonly StackEvent[],
  region: string,
): Promise<Kept[]> {
  const left = events.filter(
    ({ status, type }) => status === 'DELETE_SKIPPED' || (status === 'DELETE_COMPLETE' && isOutside(type)),
  );
  return keptAmong(
    account,
    left.map(({ type, name }) => ({ type, name, isRetained: true })),
    region,
  );
}
