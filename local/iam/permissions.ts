/** The permissions that the templates have granted so far. */
import { arn } from '../account.ts';
import { LocalError } from '../local-error.ts';
import { type Access, type Caller, type Decision, evaluate } from './evaluate.ts';
import { isAboutEverybody, namesRole, type Statement } from './statement.ts';

/**
 * Policies of AWS that a role may have here, with the reason why they allow nothing that is called on this machine. Any
 * other policy stops the start, because its permissions are unknown.
 */
const awsManagedPolicies: Readonly<Record<string, string>> = {
  'arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole': 'Logs are files.',
  'arn:aws:iam::aws:policy/service-role/AmazonECSTaskExecutionRolePolicy': 'Images are not pulled, and logs are files.',
  'arn:aws:iam::aws:policy/AmazonEC2ContainerRegistryReadOnly': 'Images are not pulled.',
  'arn:aws:iam::aws:policy/AmazonElasticFileSystemClientReadWriteAccess': 'File systems are folders.',
};

export const roleArn = (role: string): string => arn('iam', `role/${role}`, '');

/** A statement that allows something, and the role that it allows it. */
export interface Grant {
  /** Name of the role, or `*` for every caller. */
  readonly role: string;
  readonly statement: Statement;
}

export interface Permissions {
  /** @param itsArn is given if the role has a path */
  addRole(name: string, itsArn?: string): void;
  /** The ARN of the role of that name, if there is one. */
  roleNamed(name: string): string | undefined;
  /** Declares a policy that roles can have by its ARN. */
  addManagedPolicy(policyArn: string, statements: readonly Statement[]): void;
  /** Gives a role an identity policy. */
  attach(role: string, statements: readonly Statement[]): void;
  /**
   * Gives a role a policy by its ARN.
   * @param where names the role in a sentence
   * @throws LocalError if the policy is unknown
   */
  attachManaged(role: string, policyArn: string, where: string): void;
  /** Gives a resource a policy of its own, which also covers everything below the resource. */
  protect(resourceArn: string, statements: readonly Statement[]): void;
  decide(caller: Caller, access: Access): Decision;
  /** All grants. */
  grants(): Grant[];
}

/**
 * Authorizes an action of a role.
 * @param role its ARN
 * @throws AwsFault `AccessDeniedException`
 */
export type Authorize = (role: string, action: string, resource: string, context: Access['context']) => void;

const append = <Item>(lists: Map<string, Item[]>, key: string, items: readonly Item[]) =>
  lists.set(key, [...(lists.get(key) ?? []), ...items]);

const nameOf = (caller: Caller) => ('roleArn' in caller ? (caller.roleArn.split('/').at(-1) ?? '') : undefined);

/** Creates permissions without roles and policies. */
export function createPermissions(): Permissions {
  /** ARNs by name. */
  const roles = new Map<string, string>();
  const identity = new Map<string, Statement[]>();
  const resource = new Map<string, Statement[]>();
  const managed = new Map<string, readonly Statement[]>();

  /** The roles that a statement of a resource policy allows something. */
  const rolesOf = (statement: Statement) =>
    isAboutEverybody(statement)
      ? ['*']
      : [...roles].filter(([, itsArn]) => namesRole(statement, itsArn)).map(([name]) => name);

  /** The policies of a bucket are those of its objects; of other resources, only their own count. */
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
    protect: (resourceArn, statements) => append(resource, resourceArn, statements),
    decide: (caller, access) =>
      evaluate(caller, access, {
        identity: identity.get(nameOf(caller) ?? '') ?? [],
        resource: protecting(access.resource) ?? [],
      }),
    grants() {
      const own = [...identity].flatMap(([role, statements]) => statements.map((statement) => ({ role, statement })));
      const given = [...resource.values()].flatMap((statements) =>
        statements.flatMap((statement) => rolesOf(statement).map((role) => ({ role, statement }))),
      );
      return [...own, ...given].filter(({ statement }) => statement.effect === 'Allow');
    },
  };
}
