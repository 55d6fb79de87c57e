/** The credentials of AWS of a command, as the caller of an event in the history. */
import { userInfo } from 'node:os';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import type { EventCaller } from '../core/history/event.ts';
import { SECOND } from '../core/limits.ts';

/** Maximum time of the question whose credentials they are. */
const LIMIT = 5 * SECOND;

/** Returns the principal of the credentials. If AWS does not say it, as on a laptop, the user of the machine. */
export async function awsCaller(): Promise<EventCaller> {
  try {
    const { Arn = '' } = await new STSClient({ maxAttempts: 1 }).send(new GetCallerIdentityCommand({}), {
      abortSignal: AbortSignal.timeout(LIMIT),
    });
    if (Arn !== '') return { kind: 'aws', id: Arn, name: Arn.slice(Arn.lastIndexOf('/') + 1) };
  } catch {
    // The command has done its work, so an unknown name is no reason to fail.
  }
  const { username } = userInfo();
  return { kind: 'aws', id: username, name: username };
}
