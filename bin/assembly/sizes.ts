/** How large the synthesized templates are, beside the limits of CloudFormation and IAM. */
import { type Template, templatesIn } from './app.ts';

export interface Size {
  /** Id of the stack. */
  readonly stack: string;
  /** The kind of limit, such as `resources` or `AWS::IAM::Role`. */
  readonly kind: string;
  /** What is counted, such as `resources`. */
  readonly what: string;
  readonly size: number;
  readonly limit: number;
}

/** https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html */
const OF_TEMPLATES = { resources: 500, bytes: 1_048_576, parameters: 200, outputs: 200 } as const;
/**
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html: characters without white space, for a role
 * those of all its inline policies together.
 */
const OF_POLICIES = { 'AWS::IAM::ManagedPolicy': 6_144, 'AWS::IAM::Role': 10_240 } as const;

const countIn = (section: object | undefined) => Object.keys(section ?? {}).length;

/** Returns the characters of a document. A reference is shorter in a template than its value can be. */
const lengthOf = (document: unknown) => JSON.stringify(document ?? '').length;

interface PolicyProperties {
  readonly PolicyDocument?: object;
  readonly Policies?: readonly PolicyProperties[];
  /** CDK writes references to roles of the same template. */
  readonly Roles?: readonly { readonly Ref: string }[];
}

interface Characters {
  readonly kind: keyof typeof OF_POLICIES;
  /** Logical id of the role or of the managed policy. */
  readonly id: string;
  readonly size: number;
}

/** Returns the characters that a resource adds to the policies of a role, or those of a managed policy. */
function charactersOf(id: string, type: string, properties: PolicyProperties): Characters[] {
  const { PolicyDocument, Policies = [], Roles = [] } = properties;
  const size = lengthOf(PolicyDocument);
  switch (type) {
    case 'AWS::IAM::ManagedPolicy':
      return [{ kind: type, id, size }];
    case 'AWS::IAM::Policy':
      return Roles.map(({ Ref }) => ({ kind: 'AWS::IAM::Role', id: Ref, size }));
    case 'AWS::IAM::Role':
      return [{ kind: type, id, size: Policies.reduce((sum, policy) => sum + lengthOf(policy.PolicyDocument), 0) }];
    default:
      return [];
  }
}

function policiesIn(stack: string, { Resources = {} }: Template): Size[] {
  const all = Object.entries(Resources).flatMap(([id, { Type, Properties = {} }]) =>
    charactersOf(id, Type, Properties),
  );
  return Object.entries(OF_POLICIES).flatMap(([kind, limit]) => {
    const byId = Map.groupBy(
      all.filter((one) => one.kind === kind),
      ({ id }) => id,
    );
    const sums = [...byId].map(([id, those]) => ({ id, size: those.reduce((sum, one) => sum + one.size, 0) }));
    const largest = sums.toSorted((one, other) => other.size - one.size)[0];
    if (!largest) return [];
    return [{ stack, kind, what: `characters of the policies of ${largest.id}`, size: largest.size, limit }];
  });
}

/**
 * Returns the sizes of a template.
 * @param stack id of the stack
 */
export function sizesOf(stack: string, text: string): Size[] {
  const template = JSON.parse(text) as Template;
  const sizes = {
    resources: countIn(template.Resources),
    bytes: Buffer.byteLength(text),
    parameters: countIn(template.Parameters),
    outputs: countIn(template.Outputs),
  } as const;
  const counted = Object.entries(OF_TEMPLATES).map(([what, limit]) => ({
    stack,
    kind: what,
    what,
    size: sizes[what as keyof typeof sizes],
    limit,
  }));
  return [...counted, ...policiesIn(stack, template)];
}

/** Returns the sizes of each template of the assembly, by stack. */
export const sizesIn = (assembly: string): Size[] =>
  Object.entries(templatesIn(assembly)).flatMap(([stack, text]) => sizesOf(stack, text));
