/** The operations of ECS on task definitions. */
import { AwsFault } from '../aws-proxy/aws-fault.ts';
import type { Input } from './ecs-input.ts';
import { describeTaskDefinition } from './ecs-output.ts';
import { arnOf, type Families, type Revision } from './families.ts';
import { rules } from './rules.ts';

export type TaskDefinitionOperation =
  | 'RegisterTaskDefinition'
  | 'DeregisterTaskDefinition'
  | 'DescribeTaskDefinition'
  | 'ListTaskDefinitions';

/**
 * Handlers of the operations.
 * @throws AwsFault
 */
type Handlers = {
  readonly [Name in TaskDefinitionOperation]: (input: Input<Name>, registeredBy: string) => unknown;
};

const clientFault = (message: string) => new AwsFault(400, 'ClientException', message);

/**
 * Returns the revision that a new deployment can start.
 * @throws AwsFault `ClientException` if the revision does not exist or is inactive
 */
export function activeRevision(families: Families, name: string): Revision {
  const found = families.find(name);
  if (!found) throw clientFault('TaskDefinition not found.');
  if (found.status === 'INACTIVE') throw clientFault(rules.inactive.value);
  return found;
}

/**
 * Checks the secrets of a task definition.
 * @throws AwsFault `ClientException` if ECS would refuse them
 */
function checkSecrets({ executionRoleArn, containerDefinitions }: Input<'RegisterTaskDefinition'>): void {
  for (const { secrets = [], environment, repositoryCredentials } of containerDefinitions) {
    const names = [...secrets, ...environment].map(({ name }) => name);
    const twice = secrets.find(({ name }) => names.indexOf(name) !== names.lastIndexOf(name));
    if (twice) throw clientFault(`${rules.secretsOfRegistrations.value.twice}'${twice.name}'.`);
    if (executionRoleArn === undefined && (secrets.length > 0 || repositoryCredentials))
      throw clientFault(rules.secretsOfRegistrations.value.noRole);
  }
}

export function taskDefinitionOperations(families: Families): Handlers {
  function register(registration: Input<'RegisterTaskDefinition'>, registeredBy: string): Revision {
    checkSecrets(registration);
    try {
      return families.register(registration, { registeredBy });
    } catch (error) {
      throw clientFault(`The task definition cannot run: ${(error as Error).message}.`);
    }
  }

  return {
    RegisterTaskDefinition(registration, registeredBy) {
      const { tags = [] } = registration;
      return { taskDefinition: describeTaskDefinition(register(registration, registeredBy)), tags };
    },

    DeregisterTaskDefinition({ taskDefinition: name }) {
      const found = /:\d+$/.test(name) ? families.find(name) : undefined;
      if (!found) throw clientFault('The specified task definition does not exist. Name it as family:revision.');
      return { taskDefinition: describeTaskDefinition(families.deregister(found)) };
    },

    ListTaskDefinitions({ familyPrefix, status }) {
      const revisions = families.list(familyPrefix).filter((each) => each.status === status);
      return { taskDefinitionArns: revisions.map(arnOf) };
    },

    DescribeTaskDefinition({ taskDefinition: name, include }) {
      const found = families.find(name);
      if (!found) throw clientFault('Unable to describe task definition.');
      const { tags = [] } = found.registration;
      return { taskDefinition: describeTaskDefinition(found), ...(include.length > 0 && { tags }) };
    },
  };
}
