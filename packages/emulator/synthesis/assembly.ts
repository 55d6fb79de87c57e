/** Reads a cloud assembly, which `cdk synth` writes and `cdk deploy` deploys. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Template } from '../cloudformation/template.ts';
import { LocalError } from '../local-error.ts';

export interface Stack {
  /**
   * Id of the stack, without the constructs around it, which is the same in every deployment. Names of stored data
   * contain it.
   */
  readonly id: string;
  /** Name of the stack in CloudFormation. */
  readonly name: string;
  readonly template: Template;
  /** Returns the absolute path of a file asset, by its hash. */
  fileAsset(hash: string): string | undefined;
  /** Returns the display name of a Docker image asset, by its hash. */
  imageAsset(hash: string): string | undefined;
}

interface Artifact {
  readonly type: string;
  readonly dependencies?: readonly string[];
  /** Path of the stack in the app. */
  readonly displayName?: string;
  readonly properties?: { readonly templateFile?: string; readonly stackName?: string; readonly file?: string };
}

interface AssetManifest {
  readonly files?: Readonly<Record<string, { readonly source: { readonly path?: string } }>>;
  readonly dockerImages?: Readonly<Record<string, { readonly displayName?: string }>>;
}

const STACK = 'aws:cloudformation:stack';
const ASSETS = 'cdk:asset-manifest';

const readJson = <Content>(file: string) => JSON.parse(readFileSync(file, 'utf8')) as Content;

/**
 * Returns the stacks of the assembly in deployment order: each one after the stacks that it depends on.
 * @throws LocalError if the folder is no assembly, or two of its stacks have one id
 */
export function readAssembly(folder: string): Stack[] {
  const manifest = join(folder, 'manifest.json');
  if (!existsSync(manifest)) throw new LocalError(`${folder} is not a synthesized assembly: it has no manifest.json.`);
  const { artifacts } = readJson<{ artifacts: Readonly<Record<string, Artifact>> }>(manifest);

  const stacks = new Map<string, Stack>();
  const visit = (id: string) => {
    const artifact = artifacts[id];
    if (artifact?.type !== STACK || stacks.has(id)) return;
    const dependencies = artifact.dependencies ?? [];
    for (const dependency of dependencies) visit(dependency);
    stacks.set(id, readStack(folder, id, artifact, assetsOf(folder, artifacts, dependencies)));
  };
  for (const id of Object.keys(artifacts)) visit(id);
  const ids = [...stacks.values()].map(({ id }) => id);
  const repeated = ids.find((id, n) => ids.indexOf(id) !== n);
  if (repeated !== undefined)
    throw new LocalError(`${folder} has two stacks ${repeated}: run one deployment at a time.`);
  return [...stacks.values()];
}

/** Finds the display name of a Docker image asset of any stack, by its hash. */
export const imageAssets =
  (stacks: readonly Stack[]) =>
  (hash: string): string | undefined =>
    stacks.map((stack) => stack.imageAsset(hash)).find(Boolean);

function assetsOf(folder: string, artifacts: Readonly<Record<string, Artifact>>, ids: readonly string[]) {
  return ids.flatMap((id) => {
    const { type, properties } = artifacts[id] ?? {};
    return type === ASSETS && properties?.file ? [readJson<AssetManifest>(join(folder, properties.file))] : [];
  });
}

function readStack(folder: string, artifact: string, its: Artifact, assets: readonly AssetManifest[]): Stack {
  const { displayName = artifact, properties } = its;
  return {
    id: basename(displayName),
    name: properties?.stackName ?? artifact,
    template: readJson<Template>(join(folder, properties?.templateFile ?? `${artifact}.template.json`)),
    fileAsset(hash) {
      const path = assets.map(({ files }) => files?.[hash]?.source.path).find((found) => found !== undefined);
      return path === undefined ? undefined : join(folder, path);
    },
    imageAsset: (hash) => assets.map(({ dockerImages }) => dockerImages?.[hash]?.displayName).find(Boolean),
  };
}
