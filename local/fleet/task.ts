/** An ECS task on this machine: the containers of a task definition, which start, live and end together. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { awsEnvironment } from '../account.ts';
import type { LogGroups } from '../logs/log-groups.ts';
import { LOOPBACK } from '../ports.ts';
import { type Clock, systemClock } from './clock.ts';
import { type Container, type ContainerEnd, startContainer } from './container.ts';
import { type ContainerRun, runContainer } from './container-run.ts';
import type { ContainerDefinition, TaskDefinition } from './definitions.ts';
import type { Image } from './images.ts';
import type { MetadataServer, TaskMetadata } from './metadata.ts';
import { rules } from './rules.ts';
import { type TaskPorts, takePorts } from './task-ports.ts';
import { type ReadSecret, readTaskSecrets, type TaskSecrets } from './task-secrets.ts';
import { createTaskRecord, type EcsEvent, type StopCause, type TaskOrigin, type TaskState } from './task-state.ts';

/** What tasks run on. */
export interface Host {
  /** Where containers call AWS. */
  readonly frontUrl: string;
  readonly metadata: MetadataServer;
  /** Folder in which the commands of images run. */
  readonly folder: string;
  /** Environment variables that mark a process as one of this run. */
  readonly mark: Readonly<Record<string, string>>;
  /** Where Node.js keeps what it has compiled, from task to task: a new task starts in half the time. */
  readonly compileCache?: string;
  readonly clock?: Clock;
  /** Read anew for every task, so that an image can be added while the service tries. */
  images(): ReadonlyMap<string, Image>;
  logFile(name: string): string;
  /** Where containers log; without it, into their files alone. */
  readonly logs?: Pick<LogGroups, 'open'>;
  publish?(event: EcsEvent): void;
  /** Without it, tasks that have secrets cannot start. */
  readonly readSecret?: ReadSecret;
}

/** A command of somebody's terminal that runs in place of the last container's image. */
export interface Attachment {
  /** Where its server is to listen, if it is told a PORT and nobody listens there; 0 for any port. */
  readonly port: number;
  /**
   * Starts it, when the containers before it are healthy.
   * @param environment all that the container is told, but nothing that its image would bring along
   * @param agentLog file of what the first container prints
   */
  start(environment: Readonly<Record<string, string>>, agentLog: string): Container;
}

export interface Task {
  readonly id: string;
  readonly taskDefinition: TaskDefinition;
  /** Resolves with true as soon as all containers run, and with false if the task ends before. */
  readonly ready: Promise<boolean>;
  /** Resolves with the reason, for people, when the last container has ended. */
  readonly ended: Promise<string>;
  state(): TaskState;
  /**
   * Ends the containers, the last started first. Called again, it only shortens the time.
   * @param limit milliseconds for all of them; by default, each has its own stop timeout
   */
  stop(cause: StopCause, limit?: number): Promise<string>;
  /** Ends all containers at once and the hard way, as if their machine were lost. */
  crash(): void;
}

interface Pulled {
  readonly definition: ContainerDefinition;
  /** Path of the health check. */
  readonly health?: string;
  start(): Container;
}

const { essentialEnded, failedToStart, unhealthy } = rules;

function imageOf({ name, image, healthCheck }: ContainerDefinition, known: ReadonlyMap<string, Image>): Image {
  const found = known.get(image);
  if (!found) {
    const why = `image ${image} cannot be pulled, because it is not in local/images.yaml`;
    throw new Error(why, { cause: 'CannotPullContainerError' });
  }
  if (healthCheck && found.health === undefined)
    throw new Error(`container ${name} has a health check, but its image has none in local/images.yaml`);
  return found;
}

/** A container's own entry point takes the place of the image's and of its command, and a command that of its command. */
function commandOf({ name, entryPoint = [], command }: ContainerDefinition, image: Image): Image['command'] {
  const own = command ?? (entryPoint.length > 0 ? [] : image.command);
  const [program, ...args] = [...entryPoint, ...own];
  if (program === undefined) throw new Error(`container ${name} has an empty command`);
  return [program, ...args];
}

/** Starts a task; what keeps it from starting is the reason for which it ends. */
export function startTask(origin: TaskOrigin, host: Host, attachment?: Attachment): Task {
  const { clock = systemClock, publish = () => undefined, metadata } = host;
  const { name: service, cluster, taskDefinition } = origin;
  const id = randomBytes(16).toString('hex');
  const record = createTaskRecord(origin, id, clock, publish);
  const runs: ContainerRun[] = [];
  const ending = new AbortController();
  const now = () => new Date(clock.now());
  /** By `performance.now()`. */
  let stopBy = Number.POSITIVE_INFINITY;
  let hurry = async (): Promise<void> => undefined;

  /** @param said the reason for people */
  function end(said: string, cause: StopCause): void {
    if (ending.signal.aborted) return;
    const { stopCode, stoppedReason } = cause;
    record.change({ lastStatus: 'STOPPING', desiredStatus: 'STOPPED', stopCode, stoppedReason, stoppingAt: now() });
    ending.abort(said);
  }

  function readMetadata(): TaskMetadata {
    const { lastStatus, desiredStatus } = record.state();
    return {
      Cluster: cluster,
      TaskARN: record.state().taskArn,
      Family: taskDefinition.family,
      Revision: taskDefinition.arn.split(':').at(-1) ?? '',
      DesiredStatus: desiredStatus,
      KnownStatus: lastStatus,
      Containers: taskDefinition.containers.map(({ name, image, restartPolicy }) => ({
        Name: name,
        Image: image,
        ...(restartPolicy && { RestartCount: runs.find((run) => run.definition.name === name)?.restarts() ?? 0 }),
      })),
    };
  }

  function logOf({ name, log }: ContainerDefinition): (line: string) => void {
    return (log && host.logs?.open(log.group, `${log.streamPrefix}/${name}/${id}`)) ?? (() => undefined);
  }

  const environmentOf = (definition: ContainerDefinition, ports: TaskPorts, secrets: TaskSecrets) => ({
    ...ports.environmentOf(definition),
    ...secrets.get(definition.name),
    ...awsEnvironment(host.frontUrl, taskDefinition.role, id),
    ECS_CONTAINER_METADATA_URI_V4: metadata.address(id, definition.name),
    // The service stops no task that is attached, so there is nothing to protect it from.
    ...(!attachment && { ECS_AGENT_URI: metadata.agentAddress(id) }),
    ...host.mark,
  });

  const fileOf = ({ name }: ContainerDefinition) => host.logFile(`${service}-${id.slice(0, 8)}-${name}`);

  const startProcess = (
    definition: ContainerDefinition,
    image: Image,
    environment: Readonly<Record<string, string>>,
  ): Container =>
    startContainer({
      command: commandOf(definition, image),
      folder: host.folder,
      environment: {
        // What an image would bring along.
        PATH: process.env.PATH ?? '',
        HOME: process.env.HOME ?? '',
        ...(host.compileCache !== undefined && { NODE_COMPILE_CACHE: host.compileCache }),
        ...environment,
      },
      log: fileOf(definition),
      print: logOf(definition),
    });

  /** Containers with what stands for their images. */
  function pull(ports: TaskPorts, secrets: TaskSecrets): Pulled[] {
    const known = host.images();
    const [agent] = taskDefinition.containers;
    const [attached] = attachment ? taskDefinition.containers.slice(-1) : [];
    return taskDefinition.containers.map((definition) => {
      const environment = environmentOf(definition, ports, secrets);
      if (attachment && agent && definition === attached) {
        const start = () => attachment.start(environment, fileOf(agent));
        return { definition: { ...definition, healthCheck: undefined }, start };
      }
      const image = imageOf(definition, known);
      return { definition, health: image.health, start: () => startProcess(definition, image, environment) };
    });
  }

  function containerEnded({ name, essential }: ContainerDefinition, { how, exitCode }: ContainerEnd): void {
    if (!essential) return;
    const couldNotStart = { ...failedToStart.value, stoppedReason: `CannotStartContainerError: ${how}` };
    end(`container ${name} ended with ${how}`, exitCode === undefined ? couldNotStart : essentialEnded.value);
  }

  async function start(): Promise<void> {
    const ports = await takePorts(taskDefinition.containers, attachment?.port);
    const secrets = await readTaskSecrets(taskDefinition, host.readSecret);
    if (ending.signal.aborted) return;
    const pulled = pull(ports, secrets);
    record.change({ lastStatus: 'PENDING' });
    for (const { definition, health = '', start: startProcess } of pulled) {
      const waits = definition.dependsOn.filter(({ condition }) => condition === 'HEALTHY');
      for (const { container } of waits) {
        const isHealthy = await runs.find((run) => run.definition.name === container)?.healthy;
        if (!isHealthy) throw new Error(`container ${container} did not become healthy`);
      }
      if (ending.signal.aborted) return;
      runs.push(
        runContainer({
          definition,
          clock,
          healthUrl: `http://${LOOPBACK}:${ports.agent}${health}`,
          ending: ending.signal,
          startProcess,
          changed: (changes) => record.changeContainer(definition.name, changes),
          unhealthy: (how) => definition.essential && end(how, unhealthy.value),
          ended: (how) => containerEnded(definition, how),
        }),
      );
    }
    record.change({ lastStatus: 'RUNNING', startedAt: now() });
  }

  async function live(): Promise<string> {
    const { signal } = ending;
    if (!signal.aborted) await once(signal, 'abort');
    await ready;
    for (const [stopped, { definition, stop }] of runs.toReversed().entries()) {
      const share = () => Math.max((stopBy - performance.now()) / (runs.length - stopped), 0);
      hurry = () => stop(Math.min(definition.stopTimeout, share()));
      await hurry();
    }
    record.change({ lastStatus: 'DEPROVISIONING', executionStoppedAt: now() });
    metadata.remove(id);
    record.change({ lastStatus: 'STOPPED', stoppedAt: now() });
    return String(signal.reason);
  }

  metadata.add(id, readMetadata);
  const ready = start().then(
    () => !ending.signal.aborted,
    (error: Error) => {
      const stoppedReason = error.cause ? `${error.cause}: ${error.message}` : error.message;
      end(error.message, { ...failedToStart.value, stoppedReason });
      return false;
    },
  );
  const ended = live();

  return {
    id,
    taskDefinition,
    ready,
    ended,
    state: record.state,
    stop(cause, limit = Number.POSITIVE_INFINITY) {
      stopBy = Math.min(stopBy, performance.now() + limit);
      end('it was asked to stop', cause);
      void hurry();
      return ended;
    },
    crash() {
      for (const run of runs) run.crash();
      end('its machine was lost', essentialEnded.value);
    },
  };
}
