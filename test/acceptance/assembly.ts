/** The assembly that is deployed, changed before it is started. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface TemplateResource {
  readonly Type: string;
  readonly Properties: Record<string, unknown>;
  readonly DependsOn?: string[];
}

export type Resources = Record<string, TemplateResource>;

/** Synthesizes the app into the folder, as `npm start` does. */
export function synthesizeAssembly(folder: string): void {
  const { context } = JSON.parse(readFileSync('cdk.json', 'utf8')) as { context: object };
  execFileSync(process.execPath, ['bin/gpu-endpoints.ts'], {
    env: { ...process.env, CDK_OUTDIR: folder, CDK_CONTEXT_JSON: JSON.stringify(context) },
    stdio: 'ignore',
  });
}

/** Changes the resources of one stack in place. */
export function changeStack(folder: string, stack: string, change: (resources: Resources) => void): void {
  const file = join(folder, `${stack}.template.json`);
  const template = JSON.parse(readFileSync(file, 'utf8')) as { Resources: Resources };
  change(template.Resources);
  writeFileSync(file, JSON.stringify(template));
}
