/**
 * Rewrites parts of templates that the emulator accepts only in a different form than AWS. Each rule preserves the
 * meaning of the template and has a reason. Delete a rule when a newer version of the emulator has fixed its
 * defect.
 */
import { isIntrinsic, isMap, type Properties, type Resource, type Template } from './template.ts';

export interface Defect {
  readonly about: string;
  readonly because: string;
  /** Returns the template in the form that the emulator accepts. */
  correct(template: Template): Template;
}

const mapValues = <Value>(values: Readonly<Record<string, Value>>, change: (value: Value) => Value) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));

/** Changes the properties of each resource of a type. */
const ofType =
  (type: string, change: (properties: Properties) => Properties) =>
  (template: Template): Template => ({
    ...template,
    Resources: mapValues(template.Resources, (resource: Resource) =>
      resource.Type === type ? { ...resource, Properties: change(resource.Properties ?? {}) } : resource,
    ),
  });

/** ECS names of the fields of a volume whose template name differs in more than its first letter. */
const ECS_NAMES: Readonly<Record<string, string>> = {
  EFSVolumeConfiguration: 'efsVolumeConfiguration',
  FilesystemId: 'fileSystemId',
  IAM: 'iam',
};
const ecsName = (name: string) => ECS_NAMES[name] ?? name.charAt(0).toLowerCase() + name.slice(1);

function asEcsSpells(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asEcsSpells);
  if (!isMap(value) || isIntrinsic(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [ecsName(name), asEcsSpells(inner)]));
}

function withTexts({ Environment: environment, ...rest }: Properties): Properties {
  if (!isMap(environment) || !isMap(environment.Variables))
    return { ...rest, ...(environment !== undefined && { Environment: environment }) };
  const variables = mapValues(environment.Variables, (value) =>
    isMap(value) && 'Fn::GetAtt' in value ? { 'Fn::Join': ['', [value]] } : value,
  );
  return { ...rest, Environment: { ...environment, Variables: variables } };
}

const STREAMING = '/response-streaming-invocations';

function asWhole(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(STREAMING, '/invocations');
  if (Array.isArray(value)) return value.map(asWhole);
  return isMap(value) ? mapValues(value, asWhole) : value;
}

/** Returns the authorizer without sources of the request's context, and without the cache whose keys contain them. */
function withoutContext({ IdentitySource: sources, AuthorizerResultTtlInSeconds: _, ...rest }: Properties): Properties {
  const kept = String(sources)
    .split(',')
    .filter((source) => !source.startsWith('context.'));
  return { ...rest, IdentitySource: kept.join(','), AuthorizerResultTtlInSeconds: 0 };
}

const OF_AWS = '/aws/service/';
const NO_IMAGE = 'ami-00000000000000000';

export const defects: readonly Defect[] = [
  {
    about: 'volumes of task definitions',
    because: 'the emulator returns them with the names of the template, not with those of ECS',
    correct: ofType('AWS::ECS::TaskDefinition', ({ Volumes: volumes, ...rest }) => ({
      ...rest,
      ...(volumes !== undefined && { Volumes: asEcsSpells(volumes) }),
    })),
  },
  {
    about: 'attributes as environment variables of functions',
    because: 'the emulator does not convert a number to a string, and the function does not start',
    correct: ofType('AWS::Lambda::Function', withTexts),
  },
  {
    about: 'streamed responses of methods',
    because: 'the emulator has no response streaming; the rehearsal collects a response and returns it as a whole',
    correct: ofType('AWS::ApiGateway::Method', ({ Integration: integration, ...rest }) => ({
      ...rest,
      ...(integration !== undefined && { Integration: asWhole(integration) }),
    })),
  },
  {
    about: 'the cache of authorizers',
    because: 'the emulator has no identity sources of the context and would refuse each request; nothing is cached',
    correct: ofType('AWS::ApiGateway::Authorizer', withoutContext),
  },
  {
    about: 'parameters below `/aws/service/`',
    because: 'the emulator has no public parameters of AWS; a made-up image replaces the newest one',
    correct: (template) => ({
      ...template,
      Parameters: mapValues(template.Parameters ?? {}, (parameter) =>
        parameter.Default?.startsWith(OF_AWS) ? { ...parameter, Type: 'String', Default: NO_IMAGE } : parameter,
      ),
    }),
  },
];
