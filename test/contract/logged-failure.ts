/** Finds why a request failed in the logs of a service on this machine. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../acceptance/local-service.ts';

interface LoggedFailure {
  readonly requestId?: string;
  readonly error: { readonly name: string; readonly message: string };
}

const linesIn = (stateDir: string) =>
  globSync(join(stateDir, 'logs', '*.log')).flatMap((file) => readFileSync(file, 'utf8').split('\n'));

/** Returns the name and the message of the error that the service has logged for the request. */
export function loggedFailure(stateDir: string, requestId: string): Promise<string> {
  return eventually(`the failure of request ${requestId} is logged`, () => {
    const line = linesIn(stateDir).find(
      (text) => text.startsWith('{"level":"ERROR"') && text.includes(`"requestId":${JSON.stringify(requestId)}`),
    );
    if (line === undefined) return undefined;
    const { error } = JSON.parse(line) as LoggedFailure;
    return `${error.name}: ${error.message}`;
  });
}

/** Returns a text with the causes of the requests that it says have failed with `INTERNAL`, where the logs have them. */
export async function withCauses(stateDir: string, text: string): Promise<string> {
  const ids = [...text.matchAll(/The log of request (\S+) has the cause/g)].map(([, id = '']) => id);
  const causes = await Promise.all(ids.map((id) => loggedFailure(stateDir, id).catch(({ message }: Error) => message)));
  return [text, ...causes].join('\n');
}
