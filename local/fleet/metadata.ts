/** The ECS task metadata endpoint, version 4, as far as tasks need it to know who they are. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LOOPBACK } from '../ports.ts';

export interface TaskMetadata {
  readonly Cluster: string;
  readonly TaskARN: string;
  readonly Family: string;
  readonly Revision: string;
  readonly DesiredStatus: 'RUNNING' | 'STOPPED';
  readonly KnownStatus: 'PENDING' | 'RUNNING' | 'STOPPED';
  readonly Containers: readonly { readonly Name: string; readonly Image: string }[];
}

export interface MetadataServer {
  /** The value of `ECS_CONTAINER_METADATA_URI_V4` for a container of the task. */
  address(task: string, container: string): string;
  /** @param read gives what holds at the time of each request */
  add(task: string, read: () => TaskMetadata): void;
  remove(task: string): void;
  close(): void;
}

const PATH = /^\/v4\/(?<task>[^/]+)\/(?<container>[^/]+)(?<whole>\/task)?$/;

export async function startMetadataServer(): Promise<MetadataServer> {
  const tasks = new Map<string, () => TaskMetadata>();

  function find(path: string): object | undefined {
    const { task = '', container, whole } = PATH.exec(path)?.groups ?? {};
    const metadata = tasks.get(task)?.();
    return whole ? metadata : metadata?.Containers.find(({ Name }) => Name === container);
  }

  const server = createServer((request, response) => {
    const found = find(request.url ?? '');
    response.writeHead(found ? 200 : 404, { 'Content-Type': 'application/json' });
    response.end(found && JSON.stringify(found));
  });
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    address: (task, container) => `http://${LOOPBACK}:${port}/v4/${task}/${container}`,
    add: (task, read) => tasks.set(task, read),
    remove: (task) => tasks.delete(task),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
