/** An ECS task on this machine: the containers of a task definition, which start, run and stop together. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { systemClock } from './clock.ts';
import { type Container, type ContainerEnd, startContainer } from './container.ts';
import { type ContainerRun, runContainer } from './container-run.ts';
import type { ContainerDefinition, TaskDefinition } from './definitions.ts';
import type { Host } from './host.ts';
import type { Image } from './images.ts';
import { metadataOf } from './metadata.ts';
import { rules } from './rules.ts';
import { commandOf, imageOf } from './task-image.ts';
import { mainContainerOf, type TaskPorts, takePorts } from './task-ports.ts';
import { readTaskSecrets, type TaskSecrets } from './task-secrets.ts';
import { createTaskRecord, type StopCause, type TaskOrigin, type TaskState } from './task-state.ts';
import { createTraffic, type TrafficState } from './traffic.ts';
import { withFolders } from './volumes.ts';

/** A command in a terminal that replaces the main container of a task. */
export interface Attachment {
  /** Port for the command's server, if it has a PORT and the port is free; 0 for any port. */
  readonly port: number;
  /**
   * Starts the command. The containers that it waits for are healthy.
   * @param environment variables of the container, without those of its image
   * @param sidecarLog log file of the first container
   */
  start(environment: Readonly<Record<string, string>>, sidecarLog: string): Container;
}

export interface Task {
  readonly id: string;
  readonly taskDefinition: TaskDefinition;
  /** Resolves with true as soon as all containers run, and with false if the task stops first. */
  readonly ready: Promise<boolean>;
  /** Resolves with the reason, for people, when the last container has exited. */
  readonly ended: Promise<string>;
  state(): TaskState;
  /** Returns the task's state in load balancers. */
  traffic(): TrafficState;
  /**
   * Resolves with true when the task's targets are healthy, or immediately if it has none. Resolves with false if
   * the task stops first.
   */
  readonly serving: Promise<boolean>;
  /**
   * Stops the containers in reverse order, after the requests to the task's targets have ended. Another call can
   * only shorten the time.
   * @param limit milliseconds for all containers; by default, each container has its own stop timeout
   */
  stop(cause: StopCause, limit?: number): Promise<string>;
  /** Kills all containers, as if their machine had failed. */
  crash(): void;
}

interface Pulled {
  readonly definition: ContainerDefinition;
  /** Path of the health check. */
  readonly health?: string | undefined;
  start(): Container;
}

const { essentialEnded, failedToStart, unhealthy } = rules;

/** Starts a task. If the task cannot start, it stops with the error as its reason. */
export function startTask(origin: TaskOrigin, host: Host, attachment?: Attachment): Task {
  const { clock = systemClock, publish = () => undefined, trafficChanged = () => undefined, metadata } = host;
  const { name: service, taskDefinition, healthCheckGrace: grace = 0 } = origin;
  const id = randomBytes(16).toString('hex');
  const record = createTaskRecord(origin, id, clock, publish);
  const runs: ContainerRun[] = [];
  /** Folders of the volumes, by volume name. */
  const folders = new Map<string, string>();
  const ending = new AbortController();
  const now = () => new Date(clock.now());
  const targets = attachment ? [] : (origin.targets ?? []);
  const traffic = createTraffic({ targets, grace, clock, changed: trafficChanged });
  /** Deadline for the stop, in milliseconds of `performance.now()`. */
  let stopBy = Number.POSITIVE_INFINITY;
  let hurry = async (): Promise<void> => undefined;
  /** Resolves when the requests to the task's targets have ended, or their time is over. */
  let drained: Promise<void> | undefined;

  /**
   * Begins to stop the task.
   * @param said the reason for people
   * @param drain whether requests in progress can finish first
   */
  function end(said: string, cause: StopCause, drain = false): void {
    if (ending.signal.aborted) return;
    const { stopCode, stoppedReason } = cause;
    const ended = traffic.end();
    if (drain && targets.length > 0) drained = ended;
    const lastStatus = drained !== undefined ? 'DEACTIVATING' : 'STOPPING';
    record.change({ lastStatus, desiredStatus: 'STOPPED', stopCode, stoppedReason, stoppingAt: now() });
    ending.abort(said);
  }

  const restartsOf = (container: string) =>
    runs.find(({ definition }) => definition.name === container)?.restarts() ?? 0;

  function logOf({ name, log }: ContainerDefinition): (line: string) => void {
    return (log && host.logs?.open(log.group, `${log.streamPrefix}/${name}/${id}`)) ?? (() => undefined);
  }

  /** Mounts every volume of a task, even if no container has a mount point for it, as ECS does. */
  function mountVolumes(): void {
    const points = taskDefinition.containers.flatMap(({ mountPoints = [] }) => mountPoints);
    for (const volume of taskDefinition.volumes ?? []) {
      const written = points.some((point) => point.volume === volume.name && !point.readOnly);
      if (!host.mount) throw new Error(`this machine has no folder for volume ${volume.name}`);
      folders.set(volume.name, host.mount(taskDefinition.roleArn, volume, written));
    }
  }

  const environmentOf = (definition: ContainerDefinition, ports: TaskPorts, secrets: TaskSecrets) => ({
    ...withFolders(ports.environmentOf(definition), definition.mountPoints ?? [], folders),
    ...secrets.get(definition.name),
    ...host.awsEnvironment(taskDefinition.role, id),
    ECS_CONTAINER_METADATA_URI_V4: metadata.address(id, definition.name),
    // The service never stops an attached task, so the task needs no protection.
    ...(!attachment && { ECS_AGENT_URI: metadata.agentAddress(id) }),
    ...host.mark,
  });

  const fileOf = ({ name }: ContainerDefinition) => host.logFile(`${service}-${id.slice(0, 8)}-${name}`);

  const startProcess = (
    definition: ContainerDefinition,
    image: Image,
    address: string,
    environment: Readonly<Record<string, string>>,
  ): Container =>
    startContainer({
      command: commandOf(definition, image, address),
      folder: image.folder ?? host.folder,
      environment: {
        // Variables that the image of a container would set.
        PATH: process.env.PATH ?? '',
        HOME: process.env.HOME ?? '',
        ...(host.compileCache !== undefined && { NODE_COMPILE_CACHE: host.compileCache }),
        ...image.environment,
        ...environment,
      },
      log: fileOf(definition),
      print: logOf(definition),
    });

  /**
   * Returns the containers, each with the function that starts it.
   * @throws Error if an image is not in the list
   */
  function pull(known: ReadonlyMap<string, Image>, ports: TaskPorts, secrets: TaskSecrets): Pulled[] {
    const [sidecar] = taskDefinition.containers;
    const attached = attachment && mainContainerOf(host.containers, taskDefinition.containers);
    return taskDefinition.containers.map((definition) => {
      const environment = environmentOf(definition, ports, secrets);
      if (attachment && sidecar && definition === attached) {
        const start = () => attachment.start(environment, fileOf(sidecar));
        const { healthCheck: _, ...unchecked } = definition;
        return { definition: unchecked, start };
      }
      const image = imageOf(definition, known, host.imageRemedy);
      const address = ports.addressOf(definition.name);
      return { definition, health: image.health, start: () => startProcess(definition, image, address, environment) };
    });
  }

  function containerEnded({ name, essential }: ContainerDefinition, { how, exitCode }: ContainerEnd): void {
    if (!essential) return;
    const couldNotStart = { ...failedToStart.value, stoppedReason: `CannotStartContainerError: ${how}` };
    end(`container ${name} exited with ${how}`, exitCode === undefined ? couldNotStart : essentialEnded.value);
  }

  async function start(): Promise<void> {
    const known = host.images();
    const ports = await takePorts(
      taskDefinition.containers,
      host.containers,
      ({ image }) => known.get(image),
      attachment?.port,
    );
    const secrets = await readTaskSecrets(taskDefinition, host.readSecret);
    if (ending.signal.aborted) return;
    mountVolumes();
    const pullStartedAt = now();
    const pulled = pull(known, ports, secrets);
    record.change({ lastStatus: 'PENDING', pullStartedAt, pullStoppedAt: now() });
    for (const { definition, health = '', start: startProcess } of pulled) {
      const waits = definition.dependsOn.filter(({ condition }) => condition === 'HEALTHY');
      for (const { container } of waits) {
        const isHealthy = await runs.find((run) => run.definition.name === container)?.healthy;
        if (!isHealthy) throw new Error(`container ${container} did not become healthy`);
      }
      if (ending.signal.aborted) return;
      const checked = ports.healthPlaceOf(definition.name);
      runs.push(
        runContainer({
          definition,
          clock,
          healthUrl: `http://${checked.host}:${checked.port}${health}`,
          ending: ending.signal,
          startProcess,
          changed: (changes) => record.changeContainer(definition.name, changes),
          unhealthy: (how) => definition.essential && end(how, unhealthy.value),
          ended: (how) => containerEnded(definition, how),
        }),
      );
    }
    record.change({ lastStatus: 'RUNNING', startedAt: now() });
    if (targets.length > 0) void beginTraffic(ports).catch(startFailed);
  }

  /** Registers the targets when all containers with a health check are healthy. */
  async function beginTraffic(ports: TaskPorts): Promise<void> {
    for (const { definition, healthy } of runs) if (definition.healthCheck && !(await healthy)) return;
    if (!ending.signal.aborted) traffic.begin(ports.placeOf);
  }

  function startFailed(error: Error): void {
    const stoppedReason = error.cause ? `${error.cause}: ${error.message}` : error.message;
    end(error.message, { ...failedToStart.value, stoppedReason });
  }

  async function drainTraffic(): Promise<void> {
    if (drained === undefined) return traffic.hurry(0);
    hurry = async () => traffic.hurry(Math.max((stopBy - performance.now()) / (runs.length + 1), 0));
    await hurry();
    await drained;
    record.change({ lastStatus: 'STOPPING' });
  }

  async function live(): Promise<string> {
    const { signal } = ending;
    if (!signal.aborted) await once(signal, 'abort');
    await drainTraffic();
    await ready;
    for (const [stopped, { definition, stop }] of runs.toReversed().entries()) {
      const share = () => Math.max((stopBy - performance.now()) / (runs.length - stopped), 0);
      hurry = () => stop(Math.min(definition.stopTimeout, share()));
      await hurry();
    }
    record.change({ lastStatus: 'DEPROVISIONING', executionStoppedAt: now() });
    metadata.remove(id);
    host.logsEnded?.(taskDefinition.containers.map(fileOf));
    record.change({ lastStatus: 'STOPPED', stoppedAt: now() });
    return String(signal.reason);
  }

  metadata.add(id, () => metadataOf(taskDefinition, record.state(), restartsOf));
  const ready = start().then(
    () => !ending.signal.aborted,
    (error: Error) => {
      startFailed(error);
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
    traffic: traffic.state,
    serving: traffic.begun,
    stop(cause, limit = Number.POSITIVE_INFINITY) {
      stopBy = Math.min(stopBy, performance.now() + limit);
      end('it was asked to stop', cause, cause.stopCode !== 'SpotInterruption');
      void hurry();
      return ended;
    },
    crash() {
      for (const run of runs) run.crash();
      end('its machine was lost', essentialEnded.value);
    },
  };
}
