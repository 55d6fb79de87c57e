/** An ECS task on this machine: the containers of a task definition, which start, live and end together. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { arn, awsEnvironment, type EmulatorAddresses } from '../account.ts';
import { freePort, LOOPBACK } from '../ports.ts';
import { type Container, startContainer } from './container.ts';
import type { ContainerDefinition, HealthCheck, ServiceDefinition } from './definitions.ts';
import { becomesHealthy, becomesUnhealthy } from './health.ts';
import type { Image } from './images.ts';
import type { MetadataServer, TaskMetadata } from './metadata.ts';

/** What tasks run on. */
export interface Host {
  readonly addresses: EmulatorAddresses;
  readonly metadata: MetadataServer;
  /** Folder in which the commands of images run. */
  readonly folder: string;
  /** Environment variables that mark a process as one of this run. */
  readonly mark: Readonly<Record<string, string>>;
  /** Read anew for every task, so that an image can be added while the service tries. */
  images(): ReadonlyMap<string, Image>;
  logFile(name: string): string;
}

export interface Task {
  /** Resolves with true as soon as all containers run, and with false if the task ends before. */
  readonly ready: Promise<boolean>;
  /** Resolves with the reason when the last container has ended. */
  readonly ended: Promise<string>;
  /**
   * Ends the containers, the last started first.
   * @param limit milliseconds for all of them; by default, each has its own stop timeout
   */
  stop(limit?: number): Promise<string>;
}

/**
 * On ECS the containers of a task share a network interface, which is theirs alone. Here all tasks share one, so each
 * task gets a port of its own, and every container that is told AGENT_PORT is told that one.
 */
const SHARED_PORT = 'AGENT_PORT';

function imageOf({ name, image, healthCheck }: ContainerDefinition, known: ReadonlyMap<string, Image>): Image {
  const found = known.get(image);
  if (!found) throw new Error(`image ${image} cannot be pulled, because it is not in local/images.yaml`);
  if (healthCheck && found.health === undefined)
    throw new Error(`container ${name} has a health check, but its image has none in local/images.yaml`);
  return found;
}

class TaskRun implements Task {
  readonly #service: ServiceDefinition;
  readonly #host: Host;
  readonly #id = randomBytes(16).toString('hex');
  readonly #ending = new AbortController();
  readonly #started: { definition: ContainerDefinition; container: Container }[] = [];
  #stopLimit = Number.POSITIVE_INFINITY;
  #status: TaskMetadata['KnownStatus'] = 'PENDING';
  readonly ready: Promise<boolean>;
  readonly ended: Promise<string>;

  constructor(service: ServiceDefinition, host: Host) {
    this.#service = service;
    this.#host = host;
    host.metadata.add(this.#id, () => this.#metadata());
    this.ready = this.#start().then(
      () => !this.#ending.signal.aborted,
      (error: Error) => {
        this.#end(error.message);
        return false;
      },
    );
    this.ended = this.#live();
  }

  stop(limit = Number.POSITIVE_INFINITY): Promise<string> {
    this.#stopLimit = limit;
    this.#end('it was asked to stop');
    return this.ended;
  }

  #end(reason: string): void {
    if (!this.#ending.signal.aborted) this.#ending.abort(reason);
  }

  #metadata(): TaskMetadata {
    const { cluster, taskDefinition } = this.#service;
    return {
      Cluster: cluster,
      TaskARN: arn('ecs', `task/${cluster}/${this.#id}`),
      Family: taskDefinition.family,
      Revision: taskDefinition.arn.split(':').at(-1) ?? '',
      DesiredStatus: this.#ending.signal.aborted ? 'STOPPED' : 'RUNNING',
      KnownStatus: this.#status,
      Containers: taskDefinition.containers.map(({ name, image }) => ({ Name: name, Image: image })),
    };
  }

  async #start(): Promise<void> {
    const { containers } = this.#service.taskDefinition;
    const known = this.#host.images();
    const pulled = containers.map((definition) => ({ definition, image: imageOf(definition, known) }));
    const port = await freePort();
    const healthy = new Map<string, Promise<boolean>>();
    for (const { definition, image } of pulled) {
      const waits = definition.dependsOn.filter(({ condition }) => condition === 'HEALTHY');
      for (const { container } of waits)
        if (!(await healthy.get(container))) throw new Error(`container ${container} did not become healthy`);
      if (this.#ending.signal.aborted) return;
      this.#startContainer(definition, image, port);
      const url = `http://${LOOPBACK}:${port}${image.health}`;
      if (definition.healthCheck) healthy.set(definition.name, this.#watch(definition, definition.healthCheck, url));
    }
    this.#status = 'RUNNING';
  }

  #startContainer(definition: ContainerDefinition, { command }: Image, port: number): void {
    const { addresses, metadata, folder, mark, logFile } = this.#host;
    const { name, environment, essential } = definition;
    const container = startContainer({
      command,
      folder,
      environment: {
        // What an image would bring along.
        PATH: process.env.PATH ?? '',
        HOME: process.env.HOME ?? '',
        ...environment,
        ...(SHARED_PORT in environment && { [SHARED_PORT]: String(port) }),
        ...awsEnvironment(addresses, this.#service.taskDefinition.role),
        ECS_CONTAINER_METADATA_URI_V4: metadata.address(this.#id, name),
        ...mark,
      },
      log: logFile(`${this.#service.name}-${this.#id.slice(0, 8)}-${name}`),
    });
    this.#started.push({ definition, container });
    if (essential) void container.ended.then((how) => this.#end(`container ${name} ended with ${how}`));
  }

  /** Whether the container becomes healthy; if it ceases to be so, the task ends. */
  async #watch({ name, essential }: ContainerDefinition, check: HealthCheck, url: string): Promise<boolean> {
    const { signal } = this.#ending;
    if (!(await becomesHealthy(url, check, signal))) return false;
    if (essential)
      void becomesUnhealthy(url, check, signal).then(() => this.#end(`container ${name} became unhealthy`));
    return true;
  }

  async #live(): Promise<string> {
    const { signal } = this.#ending;
    if (!signal.aborted) await once(signal, 'abort');
    await this.ready;
    const begin = performance.now();
    for (const [stopped, { definition, container }] of this.#started.toReversed().entries()) {
      const share = (this.#stopLimit - (performance.now() - begin)) / (this.#started.length - stopped);
      await container.stop(Math.min(definition.stopTimeout, Math.max(share, 0)));
    }
    this.#status = 'STOPPED';
    this.#host.metadata.remove(this.#id);
    return String(signal.reason);
  }
}

/** Starts a task; what keeps it from starting is the reason for which it ends. */
export const startTask = (service: ServiceDefinition, host: Host): Task => new TaskRun(service, host);
