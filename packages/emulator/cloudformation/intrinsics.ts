/** Resolves CloudFormation's intrinsic functions and pseudo parameters. */
import { account } from '../account.ts';
import { LocalError } from '../local-error.ts';
import { SUB_VARIABLE, type TemplateValue } from './template.ts';

/** The values that a template can refer to. */
export interface Scope {
  /** Returns the value of `Ref` for a resource or a parameter; undefined if the template has neither. */
  ref(name: string): string | readonly string[] | undefined;
  attribute(logicalId: string, attribute: string): string;
  /** Returns the value that another stack exports under the name. */
  imported(name: string): unknown;
  condition(name: string): boolean;
  /** Returns a value of a mapping; undefined if the template does not have it. */
  mapped(mapping: string, key: string, attribute: string): unknown;
  readonly stackName: string;
  /** Replaces addresses in AWS with addresses on this machine in each composed string. */
  localized(text: string): string;
}

/** The value of `{ "Ref": "AWS::NoValue" }`, which removes the property or the list item. */
const NO_VALUE = Symbol('AWS::NoValue');

const pseudoParameters = ({ stackName }: Scope): Record<string, unknown> => ({
  'AWS::Region': account.region,
  'AWS::AccountId': account.id,
  'AWS::Partition': account.partition,
  'AWS::URLSuffix': account.urlSuffix,
  'AWS::StackName': stackName,
  'AWS::StackId': `arn:aws:cloudformation:${account.region}:${account.id}:stack/${stackName}/local`,
  'AWS::NoValue': NO_VALUE,
});

function refer(name: string, scope: Scope): unknown {
  const pseudo = pseudoParameters(scope);
  if (Object.hasOwn(pseudo, name)) return pseudo[name];
  const value = scope.ref(name);
  if (value === undefined) throw new LocalError(`Stack ${scope.stackName} refers to ${name}, which it does not have.`);
  return value;
}

function attributeOf(argument: unknown, scope: Scope): string {
  const [logicalId = '', ...attribute] = Array.isArray(argument) ? argument.map(String) : String(argument).split('.');
  return scope.attribute(logicalId, attribute.join('.'));
}

function substitute(argument: unknown, scope: Scope): string {
  const [text, given] = Array.isArray(argument) ? argument : [argument, {}];
  const variables = resolve(given, scope) as Record<string, unknown>;
  const value = (name: string) => {
    if (Object.hasOwn(variables, name)) return variables[name];
    return name.includes('.') ? attributeOf(name, scope) : refer(name, scope);
  };
  const filled = String(text).replace(SUB_VARIABLE, (_, name: string) => String(value(name.trim())));
  return scope.localized(filled.replaceAll('${!', '${'));
}

function findInMap(argument: unknown, scope: Scope): unknown {
  const [mapping = '', key = '', attribute = ''] = list(argument, scope).map(String);
  const value = scope.mapped(mapping, key, attribute);
  if (value === undefined)
    throw new LocalError(`Stack ${scope.stackName} has no ${attribute} of ${key} in its mapping ${mapping}.`);
  return value;
}

type Intrinsic = (argument: unknown, scope: Scope) => unknown;

const list = (argument: unknown, scope: Scope) => resolve(argument, scope) as unknown[];

const intrinsics: Readonly<Record<string, Intrinsic>> = {
  Ref: (name, scope) => refer(String(name), scope),
  Condition: (name, scope) => scope.condition(String(name)),
  'Fn::GetAtt': attributeOf,
  'Fn::Sub': substitute,
  'Fn::Join': (argument, scope) => {
    const [separator, items] = list(argument, scope);
    return scope.localized((items as unknown[]).join(String(separator)));
  },
  'Fn::Select': (argument, scope) => {
    const [index, items] = list(argument, scope);
    return (items as unknown[])[Number(index)];
  },
  'Fn::Split': (argument, scope) => {
    const [separator, text] = list(argument, scope);
    return String(text).split(String(separator));
  },
  'Fn::Base64': (argument, scope) => Buffer.from(String(resolve(argument, scope))).toString('base64'),
  'Fn::GetAZs': () => ['a', 'b', 'c'].map((zone) => `${account.region}${zone}`),
  'Fn::FindInMap': findInMap,
  'Fn::ImportValue': (argument, scope) => scope.imported(String(resolve(argument, scope))),
  // Only the chosen branch is resolved: the other branch can name resources that do not exist.
  'Fn::If': (argument, scope) => {
    const [name, whenTrue, whenFalse] = argument as unknown[];
    return resolveItem(scope.condition(String(name)) ? whenTrue : whenFalse, scope);
  },
  'Fn::Equals': (argument, scope) => {
    const [left, right] = list(argument, scope);
    return left === right;
  },
  'Fn::And': (argument, scope) => list(argument, scope).every(Boolean),
  'Fn::Or': (argument, scope) => list(argument, scope).some(Boolean),
  'Fn::Not': (argument, scope) => !list(argument, scope)[0],
};

/** Returns a resolved value, or `NO_VALUE`. */
function resolveItem(value: TemplateValue, scope: Scope): unknown {
  if (Array.isArray(value)) return value.map((item) => resolveItem(item, scope)).filter((item) => item !== NO_VALUE);
  if (typeof value !== 'object' || value === null) return value;
  const [[name, argument] = [], ...others] = Object.entries(value);
  if (name !== undefined && others.length === 0) {
    const intrinsic = Object.hasOwn(intrinsics, name) ? intrinsics[name] : undefined;
    if (intrinsic) return intrinsic(argument, scope);
    if (name.startsWith('Fn::')) throw new LocalError(`Stack ${scope.stackName} uses ${name}, which cannot run here.`);
  }
  const members = Object.entries(value).map(([key, member]) => [key, resolveItem(member, scope)]);
  return Object.fromEntries(members.filter(([, member]) => member !== NO_VALUE));
}

/** Resolves the intrinsic functions of a value. */
export function resolve(value: TemplateValue, scope: Scope): unknown {
  const resolved = resolveItem(value, scope);
  return resolved === NO_VALUE ? undefined : resolved;
}
