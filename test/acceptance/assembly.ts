/** Synthesizes the deployed assembly, and changes copies of it before `npm start`. */
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { prepared } from '../runner/prepared.ts';

export interface TemplateResource {
  readonly Type: string;
  readonly Properties: Record<string, unknown>;
  readonly DependsOn?: string[];
}

export type Resources = Record<string, TemplateResource>;

/** Folders that an assembly is made from. */
const SOURCES = [
  '{bin,lib,core,aws,ingress,lambda,worker,endpoints,capacity,templates,examples}/**/*',
  'tsconfig.json',
];

/** Synthesizes the app into the folder, as `npm start` does: without the built console, and with kept bundles. */
function synthesizeInto(folder: string, settings: object = {}): void {
  const { context: given } = JSON.parse(readFileSync('cdk.json', 'utf8')) as { context: object };
  const context = { ...given, ...settings, 'console:built-later': true, 'bundles:kept': true };
  execFileSync(process.execPath, ['bin/gpu-endpoints.ts'], {
    env: { ...process.env, CDK_OUTDIR: folder, CDK_CONTEXT_JSON: JSON.stringify(context) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

/** Returns the folder of the synthesized app. The first test file that needs it creates it, and tests only read it. */
export const sharedAssembly = (): Promise<string> => prepared('assembly', SOURCES, (folder) => synthesizeInto(folder));

/** The policy that `docs/guides/git.md` lets users create, and that `npm start` knows. */
export const BOUNDARY = 'gpu-endpoints-boundary';

/** Returns the folder of the app synthesized with the permissions boundary. Tests only read it. */
export const assemblyWithBoundary = (): Promise<string> =>
  prepared('assembly-with-boundary', SOURCES, (folder) => synthesizeInto(folder, { permissionsBoundary: BOUNDARY }));

/** Copies the shared assembly to another folder. */
export async function copyAssembly(folder: string): Promise<void> {
  cpSync(await sharedAssembly(), folder, { recursive: true });
}

export interface Manifest {
  readonly artifacts: Readonly<
    Record<string, { readonly displayName?: string; readonly properties?: { readonly templateFile?: string } }>
  >;
}

export const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest;

/** Returns the path of the template of a stack, whose file name contains the ids of the constructs above the stack. */
export function templateFile(folder: string, stack: string): string {
  const found = Object.values(manifestOf(folder).artifacts).find(
    ({ displayName = '', properties }) => properties?.templateFile && basename(displayName) === stack,
  );
  if (!found?.properties?.templateFile) throw new Error(`${folder} has no stack ${stack}.`);
  return join(folder, found.properties.templateFile);
}

/** Changes the resources of one stack in the assembly. */
export function changeStack(folder: string, stack: string, change: (resources: Resources) => void): void {
  const file = templateFile(folder, stack);
  const template = JSON.parse(readFileSync(file, 'utf8')) as { Resources: Resources };
  change(template.Resources);
  writeFileSync(file, JSON.stringify(template));
}
