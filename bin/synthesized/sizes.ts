/** How large the synthesized templates are, beside the limits of CloudFormation and IAM. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SUFFIX, type Template } from './app.ts';

export interface Size {
  /** Name of the template, which contains the id of the stack. */
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
/** https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html: characters without white space. */
const OF_POLICIES = { 'AWS::IAM::ManagedPolicy': 6_144, 'AWS::IAM::Role': 10_240 } as const;

const countIn = (section: object | undefined) => Object.keys(section ?? {}).length;
const lengthOf = (value: unknown) => JSON.stringify(value ?? '').length;

/** Returns the characters of the policies in a resource. A reference is shorter in a template than its value can be. */
function policySize(
  type: keyof typeof OF_POLICIES,
  { Policies = [], PolicyDocument }: Readonly<Record<string, unknown>>,
): number {
  if (type === 'AWS::IAM::ManagedPolicy') return lengthOf(PolicyDocument);
  return (Policies as readonly { readonly PolicyDocument: object }[]).reduce(
    (sum, policy) => sum + lengthOf(policy.PolicyDocument),
    0,
  );
}

function policiesIn(stack: string, { Resources = {} }: Template): Size[] {
  return Object.entries(OF_POLICIES).flatMap(([type, limit]) => {
    const sizes = Object.entries(Resources)
      .filter(([, { Type }]) => Type === type)
      .map(([id, { Properties = {} }]) => ({ id, size: policySize(type as keyof typeof OF_POLICIES, Properties) }));
    const largest = sizes.toSorted((one, other) => other.size - one.size)[0];
    if (!largest) return [];
    const what = `characters of the policies of ${largest.id}`;
    return [{ stack, kind: type, what, size: largest.size, limit }];
  });
}

/**
 * Returns the sizes of a template.
 * @param stack name of the template
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
  globSync(`*${SUFFIX}`, { cwd: assembly })
    .sort()
    .flatMap((file) => sizesOf(file.slice(0, -SUFFIX.length), readFileSync(join(assembly, file), 'utf8')));
