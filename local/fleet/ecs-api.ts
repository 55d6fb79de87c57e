/** The operations of ECS on the services and tasks of this machine. */
import { AwsFault } from '../front/aws-fault.ts';
import type { JsonService } from '../front/json-service.ts';
import type { FleetDefinitions } from './definitions.ts';
import { asInput, asOperation, type Input, type Operation } from './ecs-input.ts';
import { describeService, describeTask, onTheWire } from './ecs-output.ts';
import { asServiceArn, asTaskArn, clusterArn, clusterName } from './names.ts';
import { rules } from './rules.ts';
import type { Service } from './service.ts';
import type { Task } from './task.ts';

type Running = FleetDefinitions['running'];

interface Found {
  readonly service: Service;
  readonly task: Task;
}

/** @throws AwsFault */
type Handlers = { readonly [Name in Operation]: (input: Input<Name>) => unknown };

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

/** What is there for each of the names, and a failure for each of the rest. */
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

function handlers(running: Running): Handlers {
  const tasksOf = (cluster: string, names: readonly string[]) =>
    each(
      names,
      (name) => findTask(running, cluster, name),
      (name) => asTaskArn(clusterName(cluster), name),
      (found) => found,
    );

  return {
    UpdateService({ cluster, service: name, desiredCount }) {
      const service = findService(running, cluster, name);
      if (!service) throw serviceNotFound();
      if (desiredCount !== undefined) service.update({ desiredCount });
      return { service: describeService(service) };
    },

    DescribeServices({ cluster, services: names }) {
      const { results, failures } = each(
        names,
        (name) => findService(running, cluster, name),
        (name) => asServiceArn(clusterName(cluster), name),
        describeService,
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

/** What an input is about. Where it names several, permission for all of their kind in the cluster is asked for. */
function resourceOf(input: Input<Operation>): string {
  const cluster = clusterName(input.cluster);
  const only = (names: readonly string[]) => (names.length === 1 ? (names[0] ?? '*') : '*');
  if ('service' in input) return asServiceArn(cluster, input.service);
  if ('services' in input) return asServiceArn(cluster, only(input.services));
  if ('task' in input) return asTaskArn(cluster, input.task);
  if ('tasks' in input) return asTaskArn(cluster, only(input.tasks));
  // ListTasks lists those of container instances, says the Service Authorization Reference.
  return clusterArn(cluster).replace(':cluster/', ':container-instance/').concat('/*');
}

/** The tags of the one task that an input is about; of several, or of none, nothing can be said. */
function tagsOf(running: Running, input: Input<Operation>): Record<string, readonly string[]> {
  const named = 'task' in input ? [input.task] : 'tasks' in input ? input.tasks : [];
  const [task] = named.map((name) => asTaskArn(clusterName(input.cluster), name));
  const owner = [...running.values()].find((service) => service.tasks().some((its) => its.state().taskArn === task));
  if (named.length !== 1 || !owner) return {};
  const tags = Object.entries(owner.definition.taskTags);
  return Object.fromEntries(tags.map(([key, value]) => [`aws:ResourceTag/${key}`, [value]]));
}

/** ECS for the services of `fleet`; those that are added later are answered for as well. */
export function createEcsApi({ clusters, running }: Pick<FleetDefinitions, 'clusters' | 'running'>): JsonService {
  const handle = handlers(running);
  return {
    async call(name, input) {
      const operation = asOperation(name);
      const parsed = asInput(operation, input);
      if (!clusters.has(clusterName(parsed.cluster)))
        throw new AwsFault(400, 'ClusterNotFoundException', 'Cluster not found.');
      return onTheWire((handle[operation] as (input: Input<Operation>) => unknown)(parsed));
    },
    authorization(name, input) {
      const operation = asOperation(name);
      const parsed = asInput(operation, input);
      return {
        action: `ecs:${operation}`,
        resource: resourceOf(parsed),
        context: { 'ecs:cluster': [clusterArn(clusterName(parsed.cluster))], ...tagsOf(running, parsed) },
      };
    },
  };
}
