/** Compares the counters of `/health` with the existing jobs. */
import { readFileSync } from 'node:fs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { templateFile } from '../assembly.ts';
import { eventually, type LocalService } from '../local-service.ts';
import { operatorSettings } from '../operator.ts';
import type { Client } from './client.ts';

/** Returns the name of the jobs table in the synthesized stacks. */
export function jobsTableOf(assembly: string): string {
  const { Resources } = JSON.parse(readFileSync(templateFile(assembly, 'Storage'), 'utf8')) as {
    Resources: Record<string, { Type: string }>;
  };
  const table = Object.keys(Resources).find(
    (name) => name.startsWith('JobsTable') && Resources[name]?.Type === 'AWS::DynamoDB::Table',
  );
  return `Storage-${table}`;
}

type Counts = Record<'inQueue' | 'inProgress' | 'completed' | 'failed' | 'retried', number>;

const countedAs: Readonly<Record<string, keyof Counts>> = {
  IN_QUEUE: 'inQueue',
  IN_PROGRESS: 'inProgress',
  COMPLETED: 'completed',
  FAILED: 'failed',
  TIMED_OUT: 'failed',
};

/** Creates a DynamoDB client with the operator's permissions. Its calls bypass the job API and meet no faults. */
function operatorClient(stateDir: string): DynamoDBDocumentClient {
  return DynamoDBDocumentClient.from(new DynamoDBClient(operatorSettings(stateDir)));
}

async function countJobs(client: DynamoDBDocumentClient, table: string): Promise<Counts> {
  const counts: Counts = { inQueue: 0, inProgress: 0, completed: 0, failed: 0, retried: 0 };
  for await (const { Items = [] } of paginateScan({ client }, { TableName: table, ConsistentRead: true }))
    for (const { status, rescues, retries } of Items) {
      const counter = countedAs[String(status)];
      if (counter) counts[counter] += 1;
      counts.retried += Number(rescues) + Number(retries);
    }
  return counts;
}

/**
 * Waits until no job runs and the counters agree with the jobs. A job whose submission was not acknowledged can
 * stay in the queue.
 * @returns the counts
 */
export async function matchingCounts(service: LocalService, client: Client, table: string): Promise<Counts> {
  const operator = operatorClient(service.stateDir);
  let last = '';
  const look = async () => {
    const { json } = await client.ask('GET', '/echo/health');
    const there = await countJobs(operator, table);
    last = `${JSON.stringify(json.jobs)} for ${JSON.stringify(there)}`;
    return there.inProgress === 0 && JSON.stringify(json.jobs) === JSON.stringify(there) ? there : undefined;
  };
  try {
    return await eventually('/health agrees with the jobs table', look, { within: 45_000, every: 500 });
  } catch (error) {
    throw new Error(`${(error as Error).message} Last counts: ${last}.`, { cause: error });
  }
}
