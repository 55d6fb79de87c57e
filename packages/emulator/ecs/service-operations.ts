/** The operations of ECS on services and tasks. */
import { AwsFault } from '../aws-proxy/aws-fault.ts';
import type { Input, Operation } from './ecs-input.ts';
import { describeService, describeSettings, describeTask } from './ecs-output.ts';
import { arnOf, runnable } from './families.ts';
import { launchTypeRefusal } from './launch-type.ts';
import { asServiceArn, asTaskArn, clusterName } from './names.ts';
import type { EcsDefinitions } from './registry.ts';
import { rules } from './rules.ts';
import type { Service } from './service.ts';
import type { Task } from './task.ts';
import { activeRevision, type TaskDefinitionOperation } from './task-definition-operations.ts';

type Running = EcsDefinitions['running'];

interface Found {
  readonly service: Service;
  readonly task: Task;
}

type ServiceOperation = Exclude<Operation, TaskDefinitionOperation>;

/**
 * Handlers of the operations.
 * @throws AwsFault
 */
type Handlers = { readonly [Name in ServiceOperation]: (input: Input<Name>) => unknown };

const serviceNotFound = () => new AwsFault(400, 'ServiceNotFoundException', 'Service not found.');
const missing = (arn: string) => ({ arn, reason: rules.unknown.value });

const servicesOf = (running: Running, cluster: string) =>
  [...running.values()].filter(({ definition }) => definition.cluster === clusterName(cluster));

const findService = (running: Running, cluster: string, service: string): Service | undefined => {
  const found = running.get(asServiceArn(clusterName(cluster), service));
  return found?.definition.cluster === clusterName(cluster) ? found : undefined;
};

function findTask(running: Running, cluster: string, name: string): Found | undefined {
  const wanted = asTaskArn(clusterName(cluster), name);
  for (const service of servicesOf(running, cluster)) {
    const task = service.tasks().find(({ state }) => state().taskArn === wanted);
    if (task) return { service, task };
  }
  return undefined;
}

/** Returns the result for each name, and a failure for each resource that does not exist. */
function each<Thing, Result>(
  names: readonly string[],
  find: (name: string) => Thing | undefined,
  arnOf: (name: string) => string,
  describe: (thing: Thing) => Result,
) {
  const found = names.map((name) => ({ name, thing: find(name) }));
  return {
    results: found.flatMap(({ thing }) => (thing === undefined ? [] : [describe(thing)])),
    failures: found.flatMap(({ name, thing }) => (thing === undefined ? [missing(arnOf(name))] : [])),
  };
}

const protectionOf = ({ service, task }: Found) => {
  const until = service.protectedUntil(task);
  return {
    taskArn: task.state().taskArn,
    protectionEnabled: until !== undefined,
    ...(until !== undefined && { expirationDate: new Date(until) }),
  };
};

export function serviceOperations({
  families,
  running,
  memory,
}: Pick<EcsDefinitions, 'families' | 'running' | 'memory'>): Handlers {
  const tasksOf = (cluster: string, names: readonly string[]) =>
    each(
      names,
      (name) => findTask(running, cluster, name),
      (name) => asTaskArn(clusterName(cluster), name),
      (found) => found,
    );

  /**
   * Describes a service. A service that does not run yet, as while stacks are deployed, is described by its
   * settings.
   */
  function describe(cluster: string, name: string): object | undefined {
    const service = findService(running, cluster, name);
    if (service) return describeService(service);
    const itsArn = asServiceArn(clusterName(cluster), name);
    const settings = memory.settingsOf(itsArn);
    return settings && describeSettings(itsArn, settings);
  }

  return {
    UpdateService({ cluster, service: name, desiredCount, taskDefinition, forceNewDeployment }) {
      if (!describe(cluster, name)) throw serviceNotFound();
      const revision = taskDefinition === undefined ? undefined : activeRevision(families, taskDefinition);
      const service = findService(running, cluster, name);
      const itsArn = asServiceArn(clusterName(cluster), name);
      const { capacityProviders } = service?.definition ?? memory.settingsOf(itsArn) ?? {};
      const refusal = revision && launchTypeRefusal(runnable(revision).compatibilities, capacityProviders);
      if (refusal !== undefined) throw new AwsFault(400, 'InvalidParameterException', refusal);
      const count = { ...(desiredCount !== undefined && { desiredCount }) };
      if (service) {
        service.update({ ...count, ...(revision && { taskDefinition: runnable(revision) }), forceNewDeployment });
      } else {
        const settings = { ...count, ...(revision && { taskDefinition: arnOf(revision) }) };
        memory.update(itsArn, settings);
      }
      return { service: describe(cluster, name) };
    },

    DescribeServices({ cluster, services: names }) {
      const { results, failures } = each(
        names,
        (name) => describe(cluster, name),
        (name) => asServiceArn(clusterName(cluster), name),
        (described) => described,
      );
      return { services: results, failures };
    },

    ListTasks({ cluster, serviceName, desiredStatus }) {
      const service = serviceName === undefined ? undefined : findService(running, cluster, serviceName);
      if (serviceName !== undefined && !service) throw serviceNotFound();
      const states = (service ? [service] : servicesOf(running, cluster))
        .flatMap((its) => its.tasks())
        .map(({ state }) => state());
      return {
        taskArns: states.filter((state) => state.desiredStatus === desiredStatus).map(({ taskArn }) => taskArn),
      };
    },

    DescribeTasks({ cluster, tasks }) {
      const { results, failures } = tasksOf(cluster, tasks);
      return { tasks: results.map(({ task }) => describeTask(task)), failures };
    },

    ListContainerInstances: () => ({ containerInstanceArns: [] }),

    StopTask({ cluster, task: name, reason }) {
      const found = findTask(running, cluster, name);
      if (!found) throw new AwsFault(400, 'InvalidParameterException', 'The referenced task was not found.');
      found.service.stopTask(found.task, reason);
      return { task: describeTask(found.task) };
    },

    UpdateTaskProtection({ cluster, tasks, protectionEnabled, expiresInMinutes }) {
      const { results, failures } = tasksOf(cluster, tasks);
      const minutes = expiresInMinutes ?? rules.protectionPeriod.value.default;
      const outcomes = results.map((found) => ({
        found,
        reason: found.service.protect(found.task, protectionEnabled ? minutes : undefined),
      }));
      const refused = outcomes.flatMap(({ found, reason }) =>
        reason === undefined ? [] : [{ arn: found.task.state().taskArn, reason }],
      );
      const accepted = outcomes.filter(({ reason }) => reason === undefined);
      return { protectedTasks: accepted.map(({ found }) => protectionOf(found)), failures: [...failures, ...refused] };
    },

    GetTaskProtection({ cluster, tasks }) {
      const { results, failures } = tasksOf(cluster, tasks);
      return { protectedTasks: results.map(protectionOf), failures };
    },
  };
}
