/**
 * The server through which terminals attach a command to an endpoint. Callers must know the secret in the outputs
 * file.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { rules } from '../ecs/rules.ts';
import type { Service } from '../ecs/service.ts';
import { LOOPBACK } from '../network/ports.ts';
import type { WorkerContainers } from '../product.ts';
import { createAttachedContainer } from './container.ts';
import { createLink, type FromService, type FromTerminal, fromTerminal, type Link } from './messages.ts';

export interface AttachServer {
  readonly port: number;
  readonly secret: string;
  close(): void;
}

type Caller = Link<FromService, FromTerminal>;

/**
 * Opens the server on a free port.
 * @param services returns the services, by endpoint id
 */
export async function openAttachServer(
  { userContainer, serverPort }: WorkerContainers,
  services: () => ReadonlyMap<string, Service>,
): Promise<AttachServer> {
  const secret = randomBytes(32).toString('hex');
  /** Ports that the servers of attached commands listen on. */
  const ports = new Set<number>();

  const isKnown = (shown: string) =>
    shown.length === secret.length && timingSafeEqual(Buffer.from(shown), Buffer.from(secret));

  function refuse(caller: Caller, reason: string): undefined {
    caller.send({ type: 'refused', reason });
    caller.close();
  }

  /**
   * Attaches the caller's command to an endpoint.
   * @returns handler of the caller's further messages
   */
  function attach(caller: Caller, endpoint: string | undefined): ((message: FromTerminal) => void) | undefined {
    const known = services();
    const service = known.get(endpoint ?? '');
    if (!service) return refuse(caller, `--endpoint takes ${alternatives([...known.keys()])}, got ${said(endpoint)}.`);
    const container = createAttachedContainer({ stop: () => caller.send({ type: 'stop' }), gone: caller.closed });
    // The port on which the image listens, unless another attached command uses it.
    const wanted = Number(userContainer(service.definition.taskDefinition.containers)?.environment[serverPort] ?? 0);
    const port = ports.has(wanted) ? 0 : wanted;
    ports.add(port);
    const task = service.attach({
      port,
      start(environment, agentLog) {
        caller.send({ type: 'run', worker: task.id, agentLog, environment });
        return container;
      },
    });
    const leave = () => void task.stop(rules.stoppedByUser.value);
    void caller.closed.then(leave);
    void task.ended.then((reason) => {
      ports.delete(port);
      caller.send({ type: 'over', reason });
      caller.close();
    });
    return (message) => (message.type === 'leave' ? leave() : container.receive(message));
  }

  function answer(socket: Socket): void {
    const caller: Caller = createLink(socket, fromTerminal);
    let listener: ((message: FromTerminal) => void) | undefined;
    caller.onMessage((message) => {
      if (listener) return listener(message);
      if (message.type !== 'attach' || !isKnown(message.secret)) return void socket.destroy();
      listener = attach(caller, message.endpoint) ?? (() => undefined);
    });
  }

  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    answer(socket);
  }).listen(0, LOOPBACK);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    secret,
    close() {
      server.close();
      for (const socket of sockets) socket.destroySoon();
    },
  };
}

const said = (endpoint: string | undefined) => (endpoint === undefined ? 'nothing' : JSON.stringify(endpoint));

const alternatives = (ids: readonly string[]) =>
  ids.length < 2 ? (ids[0] ?? 'the id of an endpoint') : `${ids.slice(0, -1).join(', ')} or ${ids.at(-1)}`;
