/** Changes an assembly so that one endpoint has a single worker, which runs several jobs at the same time. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { templateFile } from '../../../../test/acceptance/assembly.ts';

/** The endpoint that is changed. Its HTTP server runs any number of jobs in one process. */
export const CONCURRENT = 'echo-http';

interface Variable {
  readonly Name: string;
  Value: unknown;
}
interface Resource {
  readonly Type: string;
  readonly Properties: {
    ContainerDefinitions?: readonly { readonly Environment?: readonly Variable[] }[];
    concurrency?: number;
    maxWorkers?: number;
  };
}

function change({ Type, Properties }: Resource, concurrency: number): void {
  if (Type === 'Custom::Endpoint') Object.assign(Properties, { concurrency, maxWorkers: 1 });
  const variables = Properties.ContainerDefinitions?.flatMap(({ Environment = [] }) => Environment) ?? [];
  for (const variable of variables) if (variable.Name === 'CONCURRENCY') variable.Value = String(concurrency);
}

/**
 * Copies the assembly, and sets `concurrency` and `maxWorkers: 1` of `CONCURRENT` as its file would.
 * @param use gets the folder of the copy, which is removed afterwards
 */
export async function withConcurrency<Result>(
  assembly: string,
  concurrency: number,
  use: (changed: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-concurrent-'));
  try {
    cpSync(assembly, folder, { recursive: true });
    const file = templateFile(folder, `Endpoint-${CONCURRENT}`);
    const template = JSON.parse(readFileSync(file, 'utf8')) as { Resources: Record<string, Resource> };
    for (const resource of Object.values(template.Resources)) change(resource, concurrency);
    writeFileSync(file, JSON.stringify(template));
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
