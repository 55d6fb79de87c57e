/** The statements that the roles of the stacks have, with the ARNs that their resources have in AWS. */
import { resolve, type Scope } from '../../packages/emulator/cloudformation/intrinsics.ts';
import type { Template } from '../../packages/emulator/cloudformation/template.ts';
import { list } from '../lib/permissions.ts';
import type { SynthesizedStack } from '../lib/synthesis.ts';

type OneOrMore = string | readonly string[];

interface Declared {
  readonly Effect: string;
  readonly Action: OneOrMore;
  readonly Resource: OneOrMore;
  readonly Principal?: { readonly AWS?: OneOrMore };
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, OneOrMore>>>>;
}

/** One action of a role on one resource, or on a pattern of resources. */
export interface RoleAccess {
  /** The stack and the policy. */
  readonly policy: string;
  readonly action: string;
  readonly resource: string;
  /** Values of the condition keys with which the role has the access, by key in lower case. */
  readonly context: Readonly<Record<string, readonly string[]>>;
}

const SERVICE = 'us-east-1:000000000000';

/** Returns the ARN, by the name that CloudFormation generates. */
function arnOf(type: string, name: string, logicalId: string): string {
  switch (type) {
    case 'AWS::DynamoDB::Table':
      return `arn:aws:dynamodb:${SERVICE}:table/${name}`;
    case 'AWS::ECS::Cluster':
      return `arn:aws:ecs:${SERVICE}:cluster/${name}`;
    case 'AWS::KMS::Key':
      return `arn:aws:kms:${SERVICE}:key/1234abcd-12ab-34cd-56ef-1234567890ab`;
    case 'AWS::Lambda::Function':
      return `arn:aws:lambda:${SERVICE}:function:${name}`;
    case 'AWS::Logs::LogGroup':
      return `arn:aws:logs:${SERVICE}:log-group:${name}:*`;
    case 'AWS::S3::Bucket':
      return `arn:aws:s3:::${name.toLowerCase()}`;
    case 'AWS::SQS::Queue':
      return `arn:aws:sqs:${SERVICE}:${name}`;
    case 'AWS::StepFunctions::StateMachine':
      return `arn:aws:states:${SERVICE}:stateMachine:${logicalId}-1aBcDeFgHiJk`;
    default:
      return `arn:aws:${type}:${SERVICE}:${name}`;
  }
}

/** Types whose `Ref` is their ARN. */
const REF_IS_ARN = ['AWS::StepFunctions::StateMachine'];

/** Returns the stacks as CloudFormation would resolve their templates. */
function scopesOf(
  templates: Readonly<Record<string, Template>>,
  names: Readonly<Record<string, string>>,
): Map<string, Scope> {
  const scopes = new Map<string, Scope>();
  const typeIn = (stack: string, id: string) => templates[stack]?.Resources[id]?.Type;
  const nameIn = (stack: string, id: string) => `${names[stack]?.slice(0, 24)}-${id.slice(0, 24)}-1ABCDEFGHIJK`;
  const stored = (parameter: unknown) => {
    for (const [stack, { Resources }] of Object.entries(templates))
      for (const { Type, Properties } of Object.values(Resources))
        if (Type === 'AWS::SSM::Parameter' && Properties?.Name === parameter)
          return resolve(Properties?.Value, scopes.get(stack) as Scope) as string;
    return undefined;
  };
  for (const [stack, template] of Object.entries(templates)) {
    const arnIn = (id: string) => arnOf(String(typeIn(stack, id)), nameIn(stack, id), id);
    scopes.set(stack, {
      stackName: String(names[stack]),
      ref(name) {
        const type = typeIn(stack, name);
        if (type === undefined) return stored(template.Parameters?.[name]?.Default) ?? name;
        return REF_IS_ARN.includes(type) ? arnIn(name) : nameIn(stack, name);
      },
      attribute: (id, attribute) => (attribute === 'StreamArn' ? `${arnIn(id)}/stream/2026-01-01` : arnIn(id)),
      imported: String,
      condition: () => true,
      mapped: () => undefined,
      localized: (text) => text,
    });
  }
  return scopes;
}

/** Returns the values with which a condition holds. */
function contextOf({ Condition = {} }: Declared): RoleAccess['context'] {
  const equal = Object.entries(Condition).filter(([operator]) => /(?:Equals|Like)$/.test(operator));
  const pairs = equal.flatMap(([, keys]) => Object.entries(keys));
  return Object.fromEntries(pairs.map(([key, values]) => [key.toLowerCase(), list(values)]));
}

/** Returns what the roles may do by their own policies, and by policies of queues. */
export function accessesIn(
  stacks: Readonly<Record<string, Pick<SynthesizedStack, 'name' | 'template'>>>,
): RoleAccess[] {
  const templates = Object.fromEntries(
    Object.entries(stacks).map(([stack, { template }]) => [stack, template.toJSON() as unknown as Template]),
  );
  const names = Object.fromEntries(Object.entries(stacks).map(([stack, { name }]) => [stack, name]));
  const scopes = scopesOf(templates, names);
  return Object.entries(templates).flatMap(([stack, { Resources }]) =>
    Object.entries(Resources).flatMap(([id, { Type, Properties = {} }]) => {
      const own = Type === 'AWS::IAM::Role' ? ((Properties.Policies ?? []) as object[]) : [];
      const attached = ['AWS::IAM::Policy', 'AWS::SQS::QueuePolicy'].includes(Type) ? [Properties] : [];
      const documents = resolve([...own, ...attached], scopes.get(stack) as Scope) as {
        PolicyDocument: { Statement: readonly Declared[] };
      }[];
      const statements = documents.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
      return statements
        .filter(({ Effect, Principal }) => Effect === 'Allow' && (Principal === undefined || Principal.AWS))
        .flatMap((statement) =>
          list(statement.Action).flatMap((action) =>
            list(statement.Resource).map((resource) => ({
              policy: `${stack}/${id}`,
              action,
              resource,
              context: contextOf(statement),
            })),
          ),
        );
    }),
  );
}
