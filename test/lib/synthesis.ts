import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import type { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
import type { Pool } from '../../lib/capacity/pool-declaration.ts';
import { addStacks } from '../../lib/deployment/deployment.ts';
import type { EndpointDeclaration } from '../../lib/endpoints/declaration.ts';
import type { TemplateDeclaration } from '../../lib/templates/declaration.ts';
import { preparedText } from '../runner/prepared.ts';

const { context } = JSON.parse(readFileSync('cdk.json', 'utf8')) as { context: Record<string, unknown> };

/**
 * The settings of `cdk.json`, without bundling of functions, and without stack traces of constructs, which take a fifth
 * of the time of a synthesis in a test.
 */
const unbundled = { ...context, 'aws:cdk:bundling-stacks': [], 'aws:cdk:disable-creation-stack-traces': true };

/** Setting with which CDK copies no folder of an image into the assembly. A copy contains only the files of the image. */
const unstaged = { 'aws:cdk:disable-asset-staging': true };
export const staged = { 'aws:cdk:disable-asset-staging': false };

/** The settings of apps of which a test reads only the templates. */
export const templatesOnly = { ...unbundled, ...unstaged };

/** Returns an endpoint with all defaults and an image from a registry. */
export function declare(id: string, differences: Partial<EndpointDeclaration> = {}): EndpointDeclaration {
  return {
    id,
    image: 'team/worker:1.2',
    protocol: 'worker',
    capacity: 'cpu',
    minWorkers: 0,
    maxWorkers: 3,
    idleTimeout: 60_000,
    executionTimeout: 600_000,
    streamEnvelope: false,
    ...differences,
  };
}

/** Returns a pool with all defaults. */
export function declarePool(id: string, differences: Partial<Pool> = {}): Pool {
  return {
    id,
    kind: 'nvidia',
    instanceTypes: ['g5.xlarge'],
    spot: false,
    maxInstances: 10,
    warmInstances: 0,
    emptyFor: 180_000,
    disk: 'ebs',
    diskInGb: 100,
    diskThroughput: 500,
    isolation: 'none',
    rootDevice: '/dev/xvda',
    ...differences,
  };
}

export interface SynthesizedStack {
  /** The name in CloudFormation. */
  readonly name: string;
  readonly template: Template;
  /** The deployed template. */
  readonly text: string;
  readonly terminationProtection?: boolean | undefined;
  /**
   * The container images that a deployment builds: their display names, and the files in each folder, which are those of
   * the image if the settings are `staged`.
   */
  readonly images: Readonly<Record<string, readonly string[]>>;
}

interface AssetManifest {
  readonly dockerImages?: Record<string, { readonly displayName: string; readonly source: { directory: string } }>;
}

/** A synthesized stack without its template, which is parsed only when a test reads it. */
type StackText = Omit<SynthesizedStack, 'template'>;

function textFrom(folder: string, artifact: CloudFormationStackArtifact): StackText {
  const manifest = JSON.parse(readFileSync(join(folder, `${artifact.id}.assets.json`), 'utf8')) as AssetManifest;
  return {
    name: artifact.stackName,
    text: readFileSync(artifact.templateFullPath, 'utf8'),
    terminationProtection: artifact.terminationProtection,
    images: Object.fromEntries(
      Object.values(manifest.dockerImages ?? {}).map(({ displayName, source }) => [
        displayName,
        readdirSync(resolve(folder, source.directory)),
      ]),
    ),
  };
}

function stackFrom(given: StackText): SynthesizedStack {
  let parsed: Template | undefined;
  return {
    ...given,
    get template() {
      parsed ??= Template.fromJSON(JSON.parse(given.text) as Record<string, unknown>);
      return parsed;
    },
  };
}

/** Creates an app without stacks, bundled functions and CDK's metadata files. */
export const newApp = (outdir: string, settings: object = {}): App =>
  new App({ outdir, context: { ...unbundled, ...settings }, stackTraces: false, treeMetadata: false });

/** Creates an app with all stacks. */
export function createApp(
  outdir: string,
  declarations: readonly EndpointDeclaration[],
  settings: object = {},
  pools: readonly Pool[] = [],
  templates: readonly TemplateDeclaration[] = [],
): App {
  const app = newApp(outdir, settings);
  addStacks(app, declarations, { pools, templates });
  return app;
}

/** One folder for all syntheses of a test file. */
let outdir: string | undefined;

type Synthesis = [
  settings: object,
  declarations?: readonly EndpointDeclaration[],
  pools?: readonly Pool[],
  templates?: readonly TemplateDeclaration[],
];

function synthesizeTexts(...[settings, declarations = [], ...others]: Synthesis): Record<string, StackText> {
  outdir ??= mkdtempSync(join(tmpdir(), 'synthesis-'));
  const folder = outdir;
  const app = createApp(folder, declarations, { ...unstaged, ...settings }, ...others);
  return Object.fromEntries(app.synth().stacks.map((artifact) => [artifact.id, textFrom(folder, artifact)]));
}

/** All files that determine the result of a synthesis. */
const SOURCES = [
  '{lib,core,aws,ingress,lambda,worker,examples}/**/*',
  'package.json',
  '.npmrc',
  'test/lib/synthesis.ts',
];

/** Synthesizes the app as `cdk synth` does, but without bundled functions. Results are cached by arguments. */
export function synthesizeWith(...synthesis: Synthesis): Record<string, SynthesizedStack> {
  const text = preparedText('synthesis', SOURCES, synthesis, () => JSON.stringify(synthesizeTexts(...synthesis)));
  const stacks = Object.entries(JSON.parse(text) as Record<string, StackText>);
  return Object.fromEntries(stacks.map(([name, stack]) => [name, stackFrom(stack)]));
}

/** Synthesizes the app with the settings of `cdk.json`. */
export const synthesize = (...declarations: EndpointDeclaration[]): Record<string, SynthesizedStack> =>
  synthesizeWith({}, declarations);

/** Returns the stack with the name. */
export function stackOf(stacks: Record<string, SynthesizedStack>, name: string): SynthesizedStack {
  const stack = stacks[name];
  if (!stack) throw new Error(`The stack ${name} is not one of ${Object.keys(stacks).join(', ')}.`);
  return stack;
}

/** Returns the templates with the routes of the job interface and of the management interface, in this order. */
export const interfacesOf = (stacks: Record<string, SynthesizedStack>): readonly [Template, Template] => [
  stackOf(stacks, 'Platform').template,
  stackOf(stacks, 'Management').template,
];

/** Returns all resources of a type in the templates, in their order. */
export const resourcesIn = (templates: readonly Template[], type: string, like?: object) =>
  templates.flatMap((template) => Object.values(template.findResources(type, like)));
