/** The tables as the storage stack declares them, by logical id. To synthesize them takes seconds, so it is done once. */
import { existsSync, readFileSync } from 'node:fs';
import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';

type Tables = Readonly<Record<string, { readonly Properties: CreateTableCommandInput }>>;

/** Names the file that `once-for-all-tests.ts` has written; without it the stack is synthesized here. */
export const TABLES_FILE = 'STORAGE_TABLES_FILE';

export async function synthesizeTables(): Promise<Tables> {
  const [{ App }, { Template }, { StorageStack }] = await Promise.all([
    import('aws-cdk-lib'),
    import('aws-cdk-lib/assertions'),
    import('../lib/storage-stack.ts'),
  ]);
  return Template.fromStack(new StorageStack(new App(), 'Storage')).findResources('AWS::DynamoDB::Table') as Tables;
}

export async function storageTables(): Promise<Tables> {
  const file = process.env[TABLES_FILE];
  return file && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Tables) : synthesizeTables();
}
