/** The permissions that the templates have granted so far. */
import { arn } from '../account.ts';
import { LocalError } from '../local-error.ts';
import { type Access, type Caller, type Decision, evaluate } from './evaluate.ts';
import { isAboutEverybody, namesRole, type Statement } from './statement.ts';

/**
 * Managed policies of AWS that a role can have here, with the reason why no call on this machine needs them. Any
 * other managed policy prevents the start, because its permissions are unknown.
 */
const awsManagedPolicies: Readonly<Record<string, string>> = {
  'arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole': 'Logs are files.',
  'arn:aws:iam::aws:policy/service-role/AmazonECSTaskExecutionRolePolicy': 'Images are not pulled, and logs are files.',
  'arn:aws:iam::aws:policy/AmazonEC2ContainerRegistryReadOnly': 'Images are not pulled.',
  'arn:aws:iam::aws:policy/AmazonElasticFileSystemClientReadWriteAccess': 'File systems are folders.',
};

export const roleArn = (role: string): string => arn('iam', `role/${role}`, '');

/** A statement that allows access, with the role that gets the access. */
export interface Grant {
  /** Name of the role, or `*` for every caller. */
  readonly role: string;
  readonly statement: Statement;
}

export interface Permissions {
  /**
   * Adds a role.
   * @param itsArn is given if the role has a path
   */
  addRole(name: string, itsArn?: string): void;
  /** Returns the ARN of the role with the name; undefined if the role does not exist. */
  roleNamed(name: string): string | undefined;
  /** Declares a policy that roles can reference by its ARN. */
  addManagedPolicy(policyArn: string, statements: readonly Statement[]): void;
  /** Attaches an identity policy to a role. */
  attach(role: string, statements: readonly Statement[]): void;
  /**
   * Attaches a policy to a role by its ARN.
   * @param where describes the role in a sentence
   * @throws LocalError if the policy is unknown
   */
  attachManaged(role: string, policyArn: string, where: string): void;
  /**
   * Sets the permissions boundary of a role.
   * @param where describes the role in a sentence
   * @throws LocalError if the account does not have the policy
   */
  limit(role: string, policyArn: string, where: string): void;
  /** Attaches a policy to a resource. The policy also covers everything below the resource. */
  protect(resourceArn: string, statements: readonly Statement[]): void;
  decide(caller: Caller, access: Access): Decision;
  /** Returns all grants. */
  grants(): Grant[];
}

/**
 * Authorizes an action of a role.
 * @param role ARN of the role
 * @throws AwsFault `AccessDeniedException`
 */
export type Authorize = (role: string, action: string, resource: string, context: Access['context']) => void;

const NONE: readonly Statement[] = [];

const append = <Item>(lists: Map<string, Item[]>, key: string, items: readonly Item[]) =>
  lists.set(key, [...(lists.get(key) ?? []), ...items]);

const nameOf = (caller: Caller) => ('roleArn' in caller ? (caller.roleArn.split('/').at(-1) ?? '') : undefined);

/** Creates permissions without roles and policies. */
export function createPermissions(): Permissions {
  /** ARNs of the roles, by name. */
  const roles = new Map<string, string>();
  const identity = new Map<string, Statement[]>();
  const resource = new Map<string, Statement[]>();
  const managed = new Map<string, readonly Statement[]>();
  /** Statements of permissions boundaries, by role name. */
  const boundaries = new Map<string, readonly Statement[]>();

  /** Returns the roles to which a statement of a resource policy allows access. */
  const rolesOf = (statement: Statement) =>
    isAboutEverybody(statement)
      ? ['*']
      : [...roles].filter(([, itsArn]) => namesRole(statement, itsArn)).map(([name]) => name);

  /** Returns the policies that apply to a resource. The policies of a bucket also apply to its objects. */
  const protecting = (resourceArn: string) =>
    resource.get(resourceArn) ?? resource.get(resourceArn.split('/')[0] ?? '');

  return {
    addRole: (name, itsArn = roleArn(name)) => roles.set(name, itsArn),
    roleNamed: (name) => roles.get(name),
    addManagedPolicy: (policyArn, statements) => managed.set(policyArn, statements),
    attach: (role, statements) => append(identity, role, statements),
    attachManaged(role, policyArn, where) {
      const statements = managed.get(policyArn);
      if (statements) append(identity, role, statements);
      else if (!Object.hasOwn(awsManagedPolicies, policyArn))
        throw new LocalError(`${where} cannot run here: the policy ${policyArn} is unknown.`);
    },
    limit(role, policyArn, where) {
      const statements = managed.get(policyArn);
      if (!statements)
        throw new LocalError(
          `${where} cannot run here: its permissions boundary ${policyArn} is not one of the account's policies (${[...managed.keys()].join(', ') || 'none'}).`,
        );
      boundaries.set(role, statements);
    },
    protect: (resourceArn, statements) => append(resource, resourceArn, statements),
    decide(caller, access) {
      const role = nameOf(caller) ?? '';
      return evaluate(caller, access, {
        identity: identity.get(role) ?? NONE,
        boundary: boundaries.get(role),
        resource: protecting(access.resource) ?? NONE,
      });
    },
    grants() {
      const own = [...identity].flatMap(([role, statements]) => statements.map((statement) => ({ role, statement })));
      const given = [...resource.values()].flatMap((statements) =>
        statements.flatMap((statement) => rolesOf(statement).map((role) => ({ role, statement }))),
      );
      return [...own, ...given].filter(({ statement }) => statement.effect === 'Allow');
    },
  };
}
