import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import type { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
import type { Pool } from '../../lib/capacity/pool-declaration.ts';
import { addStacks } from '../../lib/deployment.ts';
import type { EndpointDeclaration } from '../../lib/endpoint-declaration.ts';
import type { TemplateDeclaration } from '../../lib/template-declaration.ts';

const { context } = JSON.parse(readFileSync('cdk.json', 'utf8')) as { context: Record<string, unknown> };

/** The settings of `cdk.json`, and functions are not bundled. */
export const unbundled = { ...context, 'aws:cdk:bundling-stacks': [] };

/** An endpoint with every default, running an image from a registry. */
export function declare(id: string, differences: Partial<EndpointDeclaration> = {}): EndpointDeclaration {
  return {
    id,
    image: 'team/worker:1.2',
    protocol: 'worker',
    capacity: 'cpu',
    minWorkers: 0,
    maxWorkers: 3,
    concurrency: 1,
    idleTimeout: 60_000,
    executionTimeout: 600_000,
    streamEnvelope: false,
    ...differences,
  };
}

/** A pool with every default. */
export function declarePool(id: string, differences: Partial<Pool> = {}): Pool {
  return {
    id,
    kind: 'nvidia',
    instanceTypes: ['g5.xlarge'],
    spot: false,
    maxInstances: 10,
    warmInstances: 0,
    diskInGb: 100,
    rootDevice: '/dev/xvda',
    ...differences,
  };
}

export interface SynthesizedStack {
  readonly template: Template;
  /** The template as it is deployed. */
  readonly text: string;
  readonly terminationProtection?: boolean;
  /** The container images that a deployment builds: their display names, and what is in the folder of each. */
  readonly images: Readonly<Record<string, readonly string[]>>;
}

interface AssetManifest {
  readonly dockerImages?: Record<string, { readonly displayName: string; readonly source: { directory: string } }>;
}

function stackFrom(folder: string, artifact: CloudFormationStackArtifact): SynthesizedStack {
  const manifest = JSON.parse(readFileSync(join(folder, `${artifact.id}.assets.json`), 'utf8')) as AssetManifest;
  return {
    template: Template.fromJSON(artifact.template),
    text: readFileSync(artifact.templateFullPath, 'utf8'),
    terminationProtection: artifact.terminationProtection,
    images: Object.fromEntries(
      Object.values(manifest.dockerImages ?? {}).map(({ displayName, source }) => [
        displayName,
        readdirSync(join(folder, source.directory)),
      ]),
    ),
  };
}

/** The app as it is deployed, but with functions not bundled. */
export function createApp(
  outdir: string,
  declarations: readonly EndpointDeclaration[],
  settings: object = {},
  pools: readonly Pool[] = [],
  templates: readonly TemplateDeclaration[] = [],
): App {
  const app = new App({ outdir, context: { ...unbundled, ...settings } });
  addStacks(app, declarations, { pools, templates });
  return app;
}

/** The app as `cdk synth` makes it, with CDK's validation, but with functions not bundled. */
export function synthesizeWith(
  settings: object,
  declarations: readonly EndpointDeclaration[] = [],
  pools: readonly Pool[] = [],
  templates: readonly TemplateDeclaration[] = [],
): Record<string, SynthesizedStack> {
  const outdir = mkdtempSync(join(tmpdir(), 'synthesis-'));
  try {
    const app = createApp(outdir, declarations, settings, pools, templates);
    return Object.fromEntries(app.synth().stacks.map((artifact) => [artifact.id, stackFrom(outdir, artifact)]));
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

/** The same with the settings of `cdk.json`. */
export const synthesize = (...declarations: EndpointDeclaration[]): Record<string, SynthesizedStack> =>
  synthesizeWith({}, declarations);

/** The one stack of that name. */
export function stackOf(stacks: Record<string, SynthesizedStack>, name: string): SynthesizedStack {
  const stack = stacks[name];
  if (!stack) throw new Error(`There is no stack ${name} among ${Object.keys(stacks).join(', ')}.`);
  return stack;
}
