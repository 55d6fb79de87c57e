/** Finds the processes of a running ingress, and sends requests with retries. */
import { isAlive, readOfProcess } from '../runner/processes.ts';
import { type Answer, call, descendants, eventually, type LocalService } from './local-service.ts';

/** Returns the process ids of the running tasks of the ingress. */
export const ingressProcesses = ({ process: service }: LocalService): number[] =>
  descendants(service.pid ?? 0).filter(
    (pid) => isAlive(pid) && readOfProcess(pid, 'cmdline').includes('ingress/main.ts'),
  );

export interface Retried {
  readonly answer: Answer;
  /** Number of failed requests before the answer. */
  readonly failures: number;
}

/** Sends a request until the status is below 429, as clients with an `Idempotency-Key` do. */
export async function askUntilAnswered(
  service: LocalService,
  url: string,
  { body, key, within }: { readonly body: string; readonly key: string; readonly within: number },
): Promise<Retried> {
  const headers = { Authorization: `Bearer ${service.ApiKey}`, 'Idempotency-Key': key };
  let failures = 0;
  const answer = await eventually(
    `${url} is answered`,
    async () => {
      const last = await call(service, 'POST', url, { body, headers }).catch(() => undefined);
      if (last && last.status < 429) return last;
      failures += 1;
      return undefined;
    },
    { within },
  );
  return { answer, failures };
}
