/** The tables that the storage stack declares, by logical id. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import { prepared } from '../runner/prepared.ts';

type Tables = Readonly<Record<string, { readonly Properties: CreateTableCommandInput }>>;

const FILE = 'tables.json';

async function synthesizeTables(folder: string): Promise<void> {
  const [{ App }, { Template }, { StorageStack }] = await Promise.all([
    import('aws-cdk-lib'),
    import('aws-cdk-lib/assertions'),
    import('../../lib/deployment/storage-stack.ts'),
  ]);
  const tables = Template.fromStack(new StorageStack(new App(), 'Storage')).findResources('AWS::DynamoDB::Table');
  writeFileSync(join(folder, FILE), JSON.stringify(tables));
}

export async function storageTables(): Promise<Tables> {
  const folder = await prepared('tables', ['lib/**/*.ts', 'core/**/*.ts'], synthesizeTables);
  return JSON.parse(readFileSync(join(folder, FILE), 'utf8')) as Tables;
}
