/** The assembly that is deployed, changed before it is started. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export interface TemplateResource {
  readonly Type: string;
  readonly Properties: Record<string, unknown>;
  readonly DependsOn?: string[];
}

export type Resources = Record<string, TemplateResource>;

/** Names a folder that all test files of a run share; `once-for-all-tests.ts` makes it. */
export const SHARED_FOLDER = 'SHARED_ASSEMBLY_FOLDER';

/** Synthesis on a busy machine, in milliseconds, and how often it is looked at. */
const LIMIT = 120_000;
const LOOK = 100;

/** Synthesizes the app into the folder, as `npm start` does. */
function synthesizeInto(folder: string): void {
  const { context } = JSON.parse(readFileSync('cdk.json', 'utf8')) as { context: object };
  execFileSync(process.execPath, ['bin/gpu-endpoints.ts'], {
    env: { ...process.env, CDK_OUTDIR: folder, CDK_CONTEXT_JSON: JSON.stringify(context) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

/** Whether this is the one test file that gets to make the folder. */
function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (!existsSync(folder)) throw error;
    return false;
  }
}

/** The app, synthesized by the first test file that asks. Not to be changed. @returns its folder */
export async function sharedAssembly(): Promise<string> {
  const shared = process.env[SHARED_FOLDER];
  if (!shared) throw new Error(`${SHARED_FOLDER} is not set: run this by \`npm test\`.`);
  const [folder, made] = [join(shared, 'assembly'), join(shared, 'made')];
  if (isFirst(folder)) {
    synthesizeInto(folder);
    writeFileSync(made, '');
  }
  for (const deadline = Date.now() + LIMIT; !existsSync(made); await delay(LOOK))
    if (Date.now() > deadline) throw new Error('The test file that was to synthesize the app has not done so.');
  return folder;
}

/** The same in a folder of one's own. */
export async function copyAssembly(folder: string): Promise<void> {
  cpSync(await sharedAssembly(), folder, { recursive: true });
}

/** Changes the resources of one stack in place. */
export function changeStack(folder: string, stack: string, change: (resources: Resources) => void): void {
  const file = join(folder, `${stack}.template.json`);
  const template = JSON.parse(readFileSync(file, 'utf8')) as { Resources: Resources };
  change(template.Resources);
  writeFileSync(file, JSON.stringify(template));
}
