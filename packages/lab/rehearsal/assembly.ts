/** Changes a cloud assembly into one that the emulator accepts. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defects } from './defects.ts';
import { leaveOut } from './leave-out.ts';
import type { Resource, Template } from './template.ts';
import { type TypeRule, typeRules } from './types.ts';

export interface StackArtifact {
  /** Id of the stack in the app and for the CDK command. */
  readonly id: string;
  /** Name of the stack in CloudFormation. */
  readonly name: string;
  /** Whether the stack has termination protection. */
  readonly isProtected: boolean;
  /** Ids of the stacks that must be deployed before this one. */
  readonly dependencies: readonly string[];
  /** Template that the rehearsal deploys. */
  readonly template: Template;
}

/** Numbers of created and of omitted resources of a type. */
export interface Count {
  readonly made: number;
  readonly leftOut: number;
}

export interface Rehearsable {
  /** Stacks in the order of the manifest: each after its dependencies. */
  readonly stacks: readonly StackArtifact[];
  /** Numbers for all stacks, by resource type. */
  readonly counts: ReadonlyMap<string, Count>;
  /** References from templates to omitted resources, each with its stack. */
  readonly references: readonly string[];
  /** Number of container images that a deployment would build. */
  readonly images: number;
}

interface Artifact {
  readonly type: string;
  readonly dependencies?: readonly string[];
  readonly properties?: {
    readonly templateFile?: string;
    readonly stackName?: string;
    readonly terminationProtection?: boolean;
    readonly file?: string;
  };
}

interface AssetManifest {
  readonly dockerImages?: Readonly<Record<string, unknown>>;
}

const STACK = 'aws:cloudformation:stack';
const ASSETS = 'cdk:asset-manifest';

const readJson = <Content>(file: string) => JSON.parse(readFileSync(file, 'utf8')) as Content;
const writeJson = (file: string, content: unknown) => writeFileSync(file, JSON.stringify(content));

function ruleOf(type: string): TypeRule {
  const rule = typeRules.find((candidate) => candidate.type === type);
  if (rule) return rule;
  throw new Error(
    `packages/lab/rehearsal/types.ts has no rule for ${type}: add whether the emulator takes it, and what stays unproven.`,
  );
}

/** Returns whether the emulator refuses the resource. */
function isLeftOut({ Type: type, Properties: properties = {} }: Resource): boolean {
  const { rehearsed, leavesOut } = ruleOf(type);
  return rehearsed === 'left out' || (leavesOut?.those(properties) ?? false);
}

/**
 * Returns the template that the emulator accepts, and its references to omitted resources.
 * @throws Error if a resource has a type without a rule
 */
export function rehearsable(template: Template): { template: Template; references: readonly string[] } {
  const { template: left, references } = leaveOut(template, isLeftOut);
  return { template: defects.reduce((corrected, { correct }) => correct(corrected), left), references };
}

/** Counts the resources of each type in the templates. */
export function countTypes(templates: readonly Template[]): ReadonlyMap<string, Count> {
  const counts = new Map<string, Count>();
  for (const resource of templates.flatMap(({ Resources }) => Object.values(Resources))) {
    const { made = 0, leftOut = 0 } = counts.get(resource.Type) ?? {};
    const left = isLeftOut(resource);
    counts.set(resource.Type, { made: made + (left ? 0 : 1), leftOut: leftOut + (left ? 1 : 0) });
  }
  return counts;
}

/** Removes the container images, which the rehearsal cannot build, from a manifest of assets. */
function removeImages(file: string): number {
  const manifest = readJson<AssetManifest>(file);
  writeJson(file, { ...manifest, dockerImages: {} });
  return Object.keys(manifest.dockerImages ?? {}).length;
}

/**
 * Changes the templates and the manifests of assets in a folder that `cdk synth` wrote.
 * @throws Error if a resource has a type without a rule
 */
export function makeRehearsable(folder: string): Rehearsable {
  const { artifacts } = readJson<{ artifacts: Readonly<Record<string, Artifact>> }>(join(folder, 'manifest.json'));
  const isStack = (id: string) => artifacts[id]?.type === STACK;
  const declared: Template[] = [];
  const references: string[] = [];

  const stacks = Object.keys(artifacts)
    .filter(isStack)
    .map((id): StackArtifact => {
      const { dependencies = [], properties = {} } = artifacts[id] ?? {};
      const file = join(folder, properties.templateFile ?? `${id}.template.json`);
      const template = readJson<Template>(file);
      const its = rehearsable(template);
      writeJson(file, its.template);
      declared.push(template);
      references.push(...its.references.map((path) => `${id}: ${path}`));
      return {
        id,
        name: properties.stackName ?? id,
        isProtected: properties.terminationProtection ?? false,
        dependencies: dependencies.filter(isStack),
        template: its.template,
      };
    });
  const manifests = Object.values(artifacts).flatMap(({ type, properties }) =>
    type === ASSETS && properties?.file ? [join(folder, properties.file)] : [],
  );
  const images = manifests.map(removeImages).reduce((sum, some) => sum + some, 0);
  return { stacks, counts: countTypes(declared), references, images };
}
