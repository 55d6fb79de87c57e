/** The synthesized stacks as a list of resources, and the ways from one to another. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

type Values = Readonly<Record<string, unknown>>;

export interface Resource {
  readonly stack: string;
  /** Logical id. */
  readonly id: string;
  readonly type: string;
  readonly properties: Values;
}

export interface Template {
  readonly Resources?: Readonly<Record<string, { readonly Type: string; readonly Properties?: Values }>>;
  readonly Outputs?: Readonly<
    Record<string, { readonly Value: unknown; readonly Export?: { readonly Name: unknown } }>
  >;
}

export interface App {
  readonly resources: readonly Resource[];
  /** How many container images a deployment builds and stores. */
  readonly images: number;
  /** The resource that a value names: `Ref`, `Fn::GetAtt`, or `Fn::ImportValue` of such a value of another stack. */
  follow(from: Resource, value: unknown): Resource | undefined;
}

const SUFFIX = '.template.json';

export const isValues = (value: unknown): value is Values => typeof value === 'object' && value !== null;

function logicalIdOf(value: Values): unknown {
  const attribute = value['Fn::GetAtt'];
  return Array.isArray(attribute) ? attribute[0] : value.Ref;
}

/** @param templates by the name of the stack */
export function appOf(templates: Readonly<Record<string, Template>>, images = 0): App {
  const stacks = Object.entries(templates);
  const resources = stacks.flatMap(([stack, { Resources = {} }]) =>
    Object.entries(Resources).map(([id, { Type, Properties = {} }]) => ({
      stack,
      id,
      type: Type,
      properties: Properties,
    })),
  );
  const exported = new Map(
    stacks.flatMap(([stack, { Outputs = {} }]) =>
      Object.values(Outputs).flatMap(({ Value, Export }) => (Export ? [[Export.Name, { stack, value: Value }]] : [])),
    ),
  );

  function find(stack: string, value: unknown): Resource | undefined {
    if (!isValues(value)) return undefined;
    const elsewhere = exported.get(value['Fn::ImportValue']);
    if (elsewhere) return find(elsewhere.stack, elsewhere.value);
    const id = logicalIdOf(value);
    return resources.find((resource) => resource.stack === stack && resource.id === id);
  }
  return { resources, images, follow: ({ stack }, value) => find(stack, value) };
}

/** Stacks that use the same image name it by the same hash. */
function imagesIn(assembly: string): number {
  const manifests = globSync('*.assets.json', { cwd: assembly }).map(
    (file) => JSON.parse(readFileSync(join(assembly, file), 'utf8')) as { readonly dockerImages?: Values },
  );
  return new Set(manifests.flatMap(({ dockerImages = {} }) => Object.keys(dockerImages))).size;
}

/** @throws if the folder holds no templates */
export function readApp(assembly: string): App {
  const stacks = globSync(`*${SUFFIX}`, { cwd: assembly }).map((file) => file.slice(0, -SUFFIX.length));
  if (stacks.length === 0)
    throw new Error(`${assembly} holds no synthesized stacks: make some with \`npx cdk synth\`.`);
  const templates = stacks
    .toSorted()
    .map((stack) => [stack, JSON.parse(readFileSync(join(assembly, stack + SUFFIX), 'utf8')) as Template] as const);
  return appOf(Object.fromEntries(templates), imagesIn(assembly));
}
