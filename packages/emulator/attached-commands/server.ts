/**
 * The server through which terminals attach a command to a service. Callers must know the secret in the outputs
 * file.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { rules } from '../ecs/rules.ts';
import type { Service } from '../ecs/service.ts';
import { mainContainerOf } from '../ecs/task-ports.ts';
import { LOOPBACK } from '../network/ports.ts';
import type { TaskContainers } from '../product.ts';
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
 * @param services returns the services, by name
 */
export async function openAttachServer(
  containers: TaskContainers | undefined,
  services: () => ReadonlyMap<string, Service>,
): Promise<AttachServer> {
  const secret = randomBytes(32).toString('hex');
  /** Ports that the servers of attached commands listen on. */
  const ports = new Set<number>();

  const isKnown = (shown: string) =>
    shown.length === secret.length && timingSafeEqual(Buffer.from(shown), Buffer.from(secret));

  /**
   * Attaches the caller's command to a service.
   * @returns handler of the caller's further messages
   */
  function attach(caller: Caller, name: string | undefined): ((message: FromTerminal) => void) | undefined {
    const known = services();
    const service = known.get(name ?? '');
    if (!service) {
      caller.send({ type: 'refused', services: [...known.keys()] });
      caller.close();
      return undefined;
    }
    const container = createAttachedContainer({ stop: () => caller.send({ type: 'stop' }), gone: caller.closed });
    // The port on which the image listens, unless another attached command uses it.
    const main = mainContainerOf(containers, service.definition.taskDefinition.containers);
    const wanted = Number(main?.environment[containers?.serverPort ?? ''] ?? 0);
    const port = ports.has(wanted) ? 0 : wanted;
    ports.add(port);
    const task = service.attach({
      port,
      start(environment, sidecarLog) {
        caller.send({ type: 'run', task: task.id, sidecarLog, environment });
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
      listener = attach(caller, message.service) ?? (() => undefined);
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
