/** How long CloudFormation waits for the answer of a custom resource; without it, an hour. */
import { Duration } from 'aws-cdk-lib';
import type { ServiceFunction } from './function.ts';

/** Lambda calls a function that failed again after one minute, and the last time after two more. */
const ATTEMPTS = 3;
const BETWEEN = Duration.minutes(1 + 2);
/** Lambda starts a retry some seconds late when it is busy. */
const SPARE = Duration.minutes(1);

/** Returns the time within which the last of Lambda's attempts has ended, so that each of them counts. */
export function serviceTimeoutOf({ timeout }: ServiceFunction): Duration {
  if (timeout === undefined) throw new Error('Every ServiceFunction has a timeout.');
  return Duration.seconds(ATTEMPTS * timeout.toSeconds())
    .plus(BETWEEN)
    .plus(SPARE);
}
