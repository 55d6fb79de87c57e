/**
 * Values of one stack that other stacks read from Parameter Store (docs/adr/0015).
 *
 * CloudFormation refuses to change an export while a stack imports it. A parameter can change: the next deployment
 * updates the stacks that read it, and the CDK command never skips a stack that reads parameters. The name of a
 * parameter never changes, because a deployed stack continues to read the parameter by the old name.
 */
import { CfnParameter, Fn, Stack } from 'aws-cdk-lib';
import { CfnParameter as StoredParameter } from 'aws-cdk-lib/aws-ssm';
import { Construct, type IConstruct } from 'constructs';
import { deploymentOf } from '../settings/settings.ts';

const kinds = {
  text: { stored: 'String', read: 'AWS::SSM::Parameter::Value<String>' },
  list: { stored: 'StringList', read: 'AWS::SSM::Parameter::Value<List<String>>' },
} as const;

/** Returns the path from the stack of a construct, which does not depend on where in an app the stack is. */
function pathFromStack(construct: IConstruct): string {
  const scopes = construct.node.scopes.slice(Stack.of(construct).node.scopes.length - 1);
  return scopes.map(({ node }) => node.id).join('/');
}

class StoredValue extends Construct {
  readonly #kind: keyof typeof kinds;

  constructor(scope: Construct, id: string, kind: keyof typeof kinds, value: string) {
    super(scope, id);
    this.#kind = kind;
    new StoredParameter(this, 'Parameter', { name: this.#name, type: kinds[kind].stored, value });
  }

  /** Deployment, stack, and the path of the construct. */
  get #name(): string {
    return `/${deploymentOf(this)}/${pathFromStack(this)}`;
  }

  /** Returns the parameter by which another stack reads the value: one parameter for each stack. */
  protected parameterOf(reader: Stack): CfnParameter {
    // The value is stored before another stack reads it.
    reader.addStackDependency(Stack.of(this));
    // Pools can have names such as `a-b` and `ab`, whose parameters need different ids.
    const id = pathFromStack(this).replaceAll('-', 'Dash').replaceAll('/', '');
    const present = reader.node.tryFindChild(id);
    if (present instanceof CfnParameter) return present;
    return new CfnParameter(reader, id, { type: kinds[this.#kind].read, default: this.#name });
  }
}

export class SharedValue extends StoredValue {
  readonly #value: string;

  constructor(scope: Construct, id: string, value: string) {
    super(scope, id, 'text', value);
    this.#value = value;
  }

  /** Returns the value, in the stack of the construct. */
  in(reader: IConstruct): string {
    const stack = Stack.of(reader);
    return stack === Stack.of(this) ? this.#value : this.parameterOf(stack).valueAsString;
  }
}

export class SharedList extends StoredValue {
  readonly #values: readonly string[];

  constructor(scope: Construct, id: string, values: readonly string[]) {
    super(scope, id, 'list', Fn.join(',', [...values]));
    this.#values = values;
  }

  /** Returns the values, in the stack of the construct. Their number is known at synthesis only in their own stack. */
  in(reader: IConstruct): string[] {
    const stack = Stack.of(reader);
    return stack === Stack.of(this) ? [...this.#values] : this.parameterOf(stack).valueAsList;
  }
}

/** Returns a value in the notation of findings about policies: `<logical id>`, or `<logical id>.<attribute>`. */
export function shownIn(reader: IConstruct, value: string): string {
  const resolved: unknown = Stack.of(reader).resolve(value);
  if (typeof resolved !== 'object' || resolved === null) return value;
  const [named] = Object.values(resolved) as [string | readonly string[]];
  return `<${[named].flat().join('.')}>`;
}
