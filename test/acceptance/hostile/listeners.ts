/** Finds the ports on which the processes of a run listen, and sends raw requests to them. */
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { readOfProcess } from '../../runner/processes.ts';

export interface ListeningPort {
  readonly host: string;
  readonly port: number;
  /** Command line of the process. */
  readonly command: string;
}

const LISTEN = '0A';

/** Returns the inodes of the sockets of a process. */
function socketsOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).flatMap((fd) => /^socket:\[(\d+)\]$/.exec(readlinkSync(`${folder}/${fd}`))?.[1] ?? []);
  } catch {
    return []; // The process or the file has just been closed.
  }
}

/** Returns the listening ports of the processes. */
export function listeningPorts(pids: readonly number[]): ListeningPort[] {
  const owners = new Map(pids.flatMap((pid) => socketsOf(pid).map((inode) => [inode, pid] as const)));
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
      const [address = '', port = ''] = local.split(':');
      const pid = owners.get(inode);
      if (state !== LISTEN || pid === undefined) return [];
      const host = Buffer.from(address, 'hex').reverse().join('.');
      return [{ host, port: Number.parseInt(port, 16), command: readOfProcess(pid, 'cmdline').replaceAll('\0', ' ') }];
    });
}

/** Milliseconds after which a server that sends nothing counts as silent. */
const SILENCE = 3_000;

/**
 * Sends a request over a socket.
 * @returns the response, or the part of it that arrived
 */
export async function sendRaw({ host, port }: Pick<ListeningPort, 'host' | 'port'>, request: string): Promise<string> {
  const socket = connect(port, host);
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk));
  socket.on('error', () => undefined);
  socket.setTimeout(SILENCE, () => socket.destroy());
  socket.write(request);
  await once(socket, 'close');
  return answer;
}
