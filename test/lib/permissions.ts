import type { Template } from 'aws-cdk-lib/assertions';

interface Statement {
  readonly Effect: string;
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

/** The actions that a role may perform on one kind of resource. */
export interface Permission {
  /** `Jobs` for the jobs table. Other resources are written as in the template. */
  readonly on: string;
  readonly actions: readonly string[];
  readonly condition?: unknown;
}

export const list = <Item>(value: Item | readonly Item[]): readonly Item[] => [value].flat() as Item[];

function nameOf(resource: unknown): string {
  const text = JSON.stringify(resource);
  // The ARN of a table is composed of its name, which another stack stores.
  return /:table\/",\{"Ref":"Storage(\w+?)Name"\}/.exec(text)?.[1] ?? text;
}

/** Returns the permissions of the role with this logical id, one entry per statement and resource. */
export function permissionsOf(template: Template, role: string): Permission[] {
  const policies = Object.values(template.findResources('AWS::IAM::Policy')).filter(({ Properties }) =>
    (Properties.Roles as { Ref: string }[]).some(({ Ref }) => Ref === role),
  );
  const own = template.findResources('AWS::IAM::Role')[role]?.Properties.Policies ?? [];
  const documents = [...policies.map(({ Properties }) => Properties), ...own];
  const statements = documents.flatMap(({ PolicyDocument }) => PolicyDocument.Statement as Statement[]);
  return statements.flatMap(({ Action, Resource, Condition }) =>
    list(Resource).map((resource) => ({ on: nameOf(resource), actions: list(Action), condition: Condition })),
  );
}

/** Returns the logical id of the only role whose name contains all of `parts`. */
export function roleNamed(template: Template, ...parts: string[]): string {
  const roles = Object.keys(template.findResources('AWS::IAM::Role'));
  const found = roles.filter((role) => parts.every((part) => role.includes(part)));
  if (found.length !== 1) throw new Error(`${parts.join(' ')} must match exactly one role of ${roles.join(', ')}.`);
  return String(found[0]);
}
