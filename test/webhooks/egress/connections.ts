/** Records every address to which this process begins a connection, over any API. */
import { Socket } from 'node:net';
import { jest } from '@jest/globals';

export interface Connections {
  /** Attempted connections as `address port`, in order. */
  readonly attempts: readonly string[];
  stop(): void;
}

export function watchConnections(): Connections {
  const attempts: string[] = [];
  const connect = Socket.prototype.connect;
  const spy = jest.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...args: unknown[]) {
    this.on('connectionAttempt', (address: string, port: number) => attempts.push(`${address} ${port}`));
    return Reflect.apply(connect, this, args) as Socket;
  });
  return { attempts, stop: () => spy.mockRestore() };
}
