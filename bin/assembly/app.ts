/** Reads the synthesized stacks into a list of resources with their references. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

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
  readonly Parameters?: Readonly<Record<string, { readonly Default?: string }>>;
  readonly Outputs?: Readonly<
    Record<string, { readonly Value: unknown; readonly Export?: { readonly Name: unknown } }>
  >;
}

/** A stack of the app. */
export interface DeclaredStack {
  /** Id of the stack in the app and for the CDK command. */
  readonly id: string;
  /** Name of the stack in CloudFormation. */
  readonly name: string;
}

export interface Place {
  readonly account: string;
  readonly region: string;
}

/** Facts about a deployment that are not in the templates. */
export interface Deployment {
  /** Stacks in the order of their ids. */
  readonly stacks: readonly DeclaredStack[];
  /**
   * The only account and Region that the stacks can be deployed to.
   * @default - those of the credentials
   */
  readonly place?: Place | undefined;
  /** Number of container images that a deployment builds and stores. */
  readonly images: number;
  /** The minimum version of `cdk bootstrap`, and the Systems Manager parameter with the deployed version. */
  readonly bootstrap: { readonly version: number; readonly parameter: string };
}

export interface App {
  readonly resources: readonly Resource[];
  readonly deployment: Deployment;
  /**
   * Returns the resource that a value refers to: by `Ref` or `Fn::GetAtt`, or through an export or a parameter of
   * another stack.
   */
  follow(from: Resource, value: unknown): Resource | undefined;
}

const MANIFEST = 'manifest.json';
/** End of the file name of a template; before it is the name of the stack's artifact. */
export const SUFFIX = '.template.json';
const PARAMETER = 'AWS::SSM::Parameter';
const NOTHING: Deployment = { stacks: [], images: 0, bootstrap: { version: 0, parameter: '' } };

export const isValues = (value: unknown): value is Values => typeof value === 'object' && value !== null;

/** Returns the variables of a function; empty for another resource. */
export function variablesOf({ properties: { Environment } }: Resource): Values {
  const variables = isValues(Environment) ? Environment.Variables : undefined;
  return isValues(variables) ? variables : {};
}

function logicalIdOf(value: Values): unknown {
  const attribute = value['Fn::GetAtt'];
  return Array.isArray(attribute) ? attribute[0] : value.Ref;
}

/**
 * Returns the app that consists of these templates.
 * @param templates by stack name
 */
export function appOf(templates: Readonly<Record<string, Template>>, deployment: Deployment = NOTHING): App {
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
  const stored = new Map(
    resources.filter(({ type }) => type === PARAMETER).map((parameter) => [parameter.properties.Name, parameter]),
  );

  function find(stack: string, value: unknown): Resource | undefined {
    if (!isValues(value)) return undefined;
    const elsewhere = exported.get(value['Fn::ImportValue']);
    if (elsewhere) return find(elsewhere.stack, elsewhere.value);
    const id = logicalIdOf(value);
    const shared = stored.get(templates[stack]?.Parameters?.[String(id)]?.Default);
    if (shared) return find(shared.stack, shared.properties.Value);
    return resources.find((resource) => resource.stack === stack && resource.id === id);
  }
  return { resources, deployment, follow: ({ stack }, value) => find(stack, value) };
}

const readJson = <Content>(assembly: string, file: string) =>
  JSON.parse(readFileSync(join(assembly, file), 'utf8')) as Content;

/** Counts the images. Stacks that use the same image refer to it by the same hash. */
function imagesIn(assembly: string): number {
  const manifests = globSync('*.assets.json', { cwd: assembly }).map((file) =>
    readJson<{ readonly dockerImages?: Values }>(assembly, file),
  );
  return new Set(manifests.flatMap(({ dockerImages = {} }) => Object.keys(dockerImages))).size;
}

interface Manifest {
  readonly artifacts?: Readonly<
    Record<
      string,
      {
        readonly type?: string;
        /** Path of the stack in the app. */
        readonly displayName?: string;
        /** Environment of the deployment, such as `aws://123456789012/eu-west-1`. */
        readonly environment?: string;
        readonly properties?: {
          readonly stackName?: string;
          readonly requiresBootstrapStackVersion?: number;
          readonly bootstrapStackVersionSsmParameter?: string;
        };
      }
    >
  >;
}

const manifestOf = (assembly: string): Manifest =>
  existsSync(join(assembly, MANIFEST)) ? readJson<Manifest>(assembly, MANIFEST) : {};

const stacksIn = ({ artifacts = {} }: Manifest): DeclaredStack[] =>
  Object.entries(artifacts)
    .filter(([, { type }]) => type === 'aws:cloudformation:stack')
    .map(([artifact, { displayName = artifact, properties }]) => ({
      id: basename(displayName),
      name: properties?.stackName ?? artifact,
    }))
    .sort((one, other) => (one.id < other.id ? -1 : 1));

function placeOf({ artifacts = {} }: Manifest): Place | undefined {
  const places = Object.values(artifacts).map(({ environment = '' }) =>
    /^aws:\/\/(\d{12})\/([a-z0-9-]+)$/.exec(environment),
  );
  const [, account, region] = places.find((place) => place !== null) ?? [];
  return account && region ? { account, region } : undefined;
}

function bootstrapOf({ artifacts = {} }: Manifest): Deployment['bootstrap'] {
  return Object.values(artifacts).reduce(({ version, parameter }, { properties = {} }) => {
    const { requiresBootstrapStackVersion: wanted = 0, bootstrapStackVersionSsmParameter: name } = properties;
    return { version: Math.max(version, wanted), parameter: name ?? parameter };
  }, NOTHING.bootstrap);
}

/** Returns the texts of the templates by the ids of their stacks, in the order of these ids. */
export function templatesIn(assembly: string): Readonly<Record<string, string>> {
  const { artifacts = {} } = manifestOf(assembly);
  const texts = globSync(`*${SUFFIX}`, { cwd: assembly }).map((file) => {
    const artifact = file.slice(0, -SUFFIX.length);
    const { displayName = artifact } = artifacts[artifact] ?? {};
    return [basename(displayName), readFileSync(join(assembly, file), 'utf8')] as const;
  });
  return Object.fromEntries(texts.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * Reads a cloud assembly.
 * @throws Error if the folder has no templates
 */
export function readApp(assembly: string): App {
  const texts = Object.entries(templatesIn(assembly));
  if (texts.length === 0) throw new Error(`${assembly} has no synthesized stacks: run \`npx cdk synth\` first.`);
  const templates = texts.map(([stack, text]) => [stack, JSON.parse(text) as Template] as const);
  const manifest = manifestOf(assembly);
  return appOf(Object.fromEntries(templates), {
    stacks: stacksIn(manifest),
    place: placeOf(manifest),
    images: imagesIn(assembly),
    bootstrap: bootstrapOf(manifest),
  });
}
