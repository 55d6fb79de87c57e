/** Deletes a stack, and waits until it is deleted. */
import type { Clock } from '../../core/clock.ts';
import { HOUR, MINUTE, SECOND } from '../../core/limits.ts';
import type { Account, StackEvent } from './account.ts';
import type { OwnStack } from './facts.ts';

export interface Ports {
  readonly account: Account;
  readonly clock: Clock;
  /** Reports progress to the user, in one line. */
  readonly print: (line: string) => void;
}

/** The longest pause between two looks at a stack. The first pauses are shorter. */
const TURN = 5 * SECOND;
/** Time in which CloudFormation deletes any stack, or reports that it cannot. */
const DELETE_LIMIT = 4 * HOUR;
/** Pause before a failed deletion is repeated, and the time after which it is not repeated any more. */
const RETRY_PAUSE = MINUTE;
const RETRY_LIMIT = 30 * MINUTE;

const STACK = 'AWS::CloudFormation::Stack';
/**
 * Types whose deletion can fail because AWS still removes what uses them, such as the network interfaces of CloudFront in
 * a VPC. A later attempt succeeds.
 */
const TEMPORARY = /^AWS::(?:AutoScaling|EC2|ECS)::/;
/** Events that are reported. The beginning of each deletion is not. */
const REPORTED = new Set(['DELETE_COMPLETE', 'DELETE_FAILED', 'DELETE_SKIPPED']);

function lineOf({ name }: OwnStack, { resource, type, status, reason }: StackEvent): string {
  const what = type === STACK ? '' : `${resource} (${type}) `;
  return `${name}: ${what}${status}${reason ? `: ${reason}` : ''}`;
}

/**
 * Waits until the deletion of the stack has ended.
 * @param from id of the last event before the deletion
 * @returns the events of resources that could not be deleted, or undefined if the stack is deleted
 */
async function watch(
  { account, clock, print }: Ports,
  stack: OwnStack,
  from?: string,
): Promise<StackEvent[] | undefined> {
  const failures = new Map<string, StackEvent>();
  const until = clock.now() + DELETE_LIMIT;
  for (let turn = 1, last = from; clock.now() < until; turn += 1) {
    // Read the status first, so that the events of the end are read too.
    const status = await account.status(stack.id);
    for (const event of await account.events(stack.id, last)) {
      if (REPORTED.has(event.status)) print(lineOf(stack, event));
      if (event.status === 'DELETE_FAILED') failures.set(event.resource, event);
      last = event.id;
    }
    if (status === 'DELETE_COMPLETE') return undefined;
    // Without an event, the status is that of an earlier deletion.
    if (status === 'DELETE_FAILED' && failures.size > 0)
      return [...failures.values()].filter(({ type }) => type !== STACK);
    await clock.pause(Math.min(turn * SECOND, TURN));
  }
  throw new Error(`${stack.name} was not deleted within ${DELETE_LIMIT / HOUR} hours.`);
}

/** Returns a sentence that names what prevents the deletion of the stack's VPC, or an empty text. */
async function vpcBlockedBy(account: Account, stack: OwnStack, failures: readonly StackEvent[]): Promise<string> {
  if (!failures.some(({ type }) => type.startsWith('AWS::EC2::'))) return '';
  const vpc = (await account.resources(stack.id)).find(({ type }) => type === 'AWS::EC2::VPC')?.name;
  const blockers = vpc === undefined ? [] : await account.vpcBlockers(vpc);
  const names = blockers.map(({ id, description }) => (description ? `${id} (${description})` : id));
  if (names.length === 0) return '';
  return ` The network ${vpc} still has ${names.join(', ')}. CloudFront removes its own some time after the distribution is deleted; delete any other.`;
}

/**
 * Starts the deletion of the stack, or finds that it has started.
 * @returns false if the stack is deleted already
 */
async function start({ account, print }: Ports, stack: OwnStack): Promise<boolean> {
  const status = await account.status(stack.id);
  if (status === 'DELETE_COMPLETE') return false;
  if (status === 'DELETE_IN_PROGRESS') {
    print(`${stack.name}: is being deleted already.`);
    return true;
  }
  if (stack.isProtected) await account.unprotect(stack.id);
  await account.delete(stack.id);
  print(`${stack.name}: deletion started.`);
  return true;
}

/**
 * Deletes the stack. A stack that is being deleted is only waited for, and one whose deletion failed is deleted again.
 * @throws Error with the reasons, if the stack cannot be deleted
 */
export async function removeStack(ports: Ports, stack: OwnStack): Promise<void> {
  const { account, clock, print } = ports;
  for (const until = clock.now() + RETRY_LIMIT; ; await clock.pause(RETRY_PAUSE)) {
    const newest = await account.newestEvent(stack.id);
    const failures = (await start(ports, stack)) ? await watch(ports, stack, newest) : undefined;
    if (!failures) return;
    const reasons = failures.map(({ resource, type, reason = 'no reason' }) => `${resource} (${type}): ${reason}`);
    const held = await vpcBlockedBy(account, stack, failures);
    const sentence = `${stack.name} could not be deleted: ${reasons.join('; ') || 'no reason'}.${held}`;
    const isTemporary = failures.length > 0 && failures.every(({ type }) => TEMPORARY.test(type));
    if (!isTemporary || clock.now() >= until) throw new Error(sentence);
    print(`${sentence} Trying again in ${RETRY_PAUSE / SECOND} s, until ${new Date(until).toISOString()}.`);
  }
}
