/** Reads the memory and processor time of the ingress from the operating system. */
import { execFileSync } from 'node:child_process';

export interface Usage {
  /** Resident memory, in MB. */
  readonly memory: number;
  /** Processor time since its start, in milliseconds. */
  readonly processor: number;
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

function processes(): Process[] {
  const lines = execFileSync('ps', ['-axo', 'pid=,ppid=,command='], { encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => {
    const [pid = '', parent = '', ...command] = line.trim().split(/\s+/);
    return { pid: Number(pid), parent: Number(parent), command: command.join(' ') };
  });
}

/** Parses `[[days-]hours:]minutes:seconds[.hundredths]`. Returns milliseconds. */
function milliseconds(time: string): number {
  const [days, clock = time] = time.includes('-') ? time.split('-') : [0, time];
  const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return (Number(days) * 86_400 + seconds) * 1_000;
}

/**
 * Returns the process id of the ingress that the service has started.
 * @throws Error if there is no ingress
 */
export function ingressOf(service: number): number {
  const found = processes().find(({ parent, command }) => parent === service && command.includes('ingress/main.ts'));
  if (!found) throw new Error('The service has not started an ingress.');
  return found.pid;
}

export function usageOf(pid: number): Usage {
  const text = execFileSync('ps', ['-o', 'rss=,time=', '-p', String(pid)], { encoding: 'utf8' });
  const [kilobytes = '', time = ''] = text.trim().split(/\s+/);
  return { memory: Number(kilobytes) / 1_024, processor: milliseconds(time) };
}
