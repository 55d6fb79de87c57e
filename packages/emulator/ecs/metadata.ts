/** The server that containers call at their task's address: task metadata, version 4, and the agent's endpoint. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { refusePage } from '../network/page-refusal.ts';
import { LOOPBACK } from '../network/ports.ts';
import type { TaskDefinition } from './definitions.ts';
import type { ContainerState, TaskState, TaskStatus } from './task-state.ts';

export interface TaskMetadata {
  readonly Cluster: string;
  readonly TaskARN: string;
  readonly Family: string;
  readonly Revision: string;
  readonly DesiredStatus: 'RUNNING' | 'STOPPED';
  readonly KnownStatus: TaskStatus;
  readonly Containers: readonly {
    readonly Name: string;
    readonly Image: string;
    readonly KnownStatus: ContainerState['lastStatus'];
    /** Number of restarts, for containers with a restart policy. */
    readonly RestartCount?: number;
  }[];
}

/**
 * Returns the metadata of a task.
 * @param restartsOf returns how often a container was restarted
 */
export function metadataOf(
  { family, arn, containers }: TaskDefinition,
  { clusterArn, taskArn, desiredStatus, lastStatus, containers: states }: TaskState,
  restartsOf: (container: string) => number,
): TaskMetadata {
  return {
    Cluster: clusterArn.split('/').at(-1) ?? '',
    TaskARN: taskArn,
    Family: family,
    Revision: arn.split(':').at(-1) ?? '',
    DesiredStatus: desiredStatus,
    KnownStatus: lastStatus,
    Containers: containers.map(({ name, image, restartPolicy }) => ({
      Name: name,
      Image: image,
      KnownStatus: states.find((state) => state.name === name)?.lastStatus ?? 'PENDING',
      ...(restartPolicy && { RestartCount: restartsOf(name) }),
    })),
  };
}

export interface Answer {
  readonly status: number;
  readonly content: object;
}

/** Handles the requests below `ECS_AGENT_URI`. */
export type AgentEndpoint = (task: string, method: string, path: string, body: string) => Promise<Answer | undefined>;

export interface MetadataServer {
  /** Returns the value of `ECS_CONTAINER_METADATA_URI_V4` for a container of the task. */
  address(task: string, container: string): string;
  /** Returns the value of `ECS_AGENT_URI` for all containers of the task. */
  agentAddress(task: string): string;
  /**
   * Adds a task.
   * @param read returns the metadata, and is called for each request
   */
  add(task: string, read: () => TaskMetadata): void;
  remove(task: string): void;
  close(): void;
}

const METADATA = /^\/v4\/(?<task>[^/]+)\/(?<container>[^/]+)(?<whole>\/task)?$/;
const AGENT = /^\/api\/(?<task>[^/]+)(?<path>\/.*)$/;

export async function startMetadataServer(agent?: AgentEndpoint): Promise<MetadataServer> {
  const tasks = new Map<string, () => TaskMetadata>();

  function find(url: string): object | undefined {
    const { task = '', container, whole } = METADATA.exec(url)?.groups ?? {};
    const metadata = tasks.get(task)?.();
    return whole ? metadata : metadata?.Containers.find(({ Name }) => Name === container);
  }

  async function answer(request: IncomingMessage): Promise<Answer | undefined> {
    const { url = '', method = '' } = request;
    const { task, path } = AGENT.exec(url)?.groups ?? {};
    if (task !== undefined && path !== undefined) return agent?.(task, method, path, await text(request));
    const found = find(url);
    return found && { status: 200, content: found };
  }

  const server = createServer((request, response) => {
    if (refusePage(request, response)) return;
    const respond = ({ status, content }: Answer) => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(content));
    };
    answer(request).then(
      (found) => respond(found ?? { status: 404, content: {} }),
      // The container closed the connection before the end of its request.
      () => response.destroy(),
    );
  });
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    address: (task, container) => `http://${LOOPBACK}:${port}/v4/${task}/${container}`,
    agentAddress: (task) => `http://${LOOPBACK}:${port}/api/${task}`,
    add: (task, read) => tasks.set(task, read),
    remove: (task) => tasks.delete(task),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
