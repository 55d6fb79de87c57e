/**
 * Controls each call of the product to AWS, as middleware of the SDK's clients. A call waits for its turn, and its
 * process can die. In each attempt of a call, AWS can refuse it or lose its answer.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { OnClient } from '../../../../aws/clients.ts';
import { withConstantSignature } from '../../../../test/support/constant-signature.ts';
import type { Schedule } from '../../../../test/support/schedule.ts';
import { type Context, presentContext } from './context.ts';
import { type Fault, type FaultKind, type FaultPlan, throttled, timedOut } from './faults.ts';
import { retriesAtOnce } from './retries.ts';

/** A call that AWS has executed. `input` is the input that the product passed to the SDK, before marshalling. */
export interface Executed {
  readonly context: Context;
  /** Name of the command, such as `UpdateItemCommand`. */
  readonly command: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: Readonly<Record<string, unknown>>;
}

export interface Between {
  readonly schedule: Schedule;
  readonly faults: FaultPlan;
  /** Called as soon as AWS has executed a call, even if the answer is lost. */
  onExecuted(executed: Executed): void;
  /** Returns the answer that the product gets instead of the real one. */
  seen(executed: Executed): Executed['output'];
}

interface Result {
  readonly output: object;
}
type Next = (args: never) => Promise<Result>;
type Stack = { add(middleware: object, options: object): void };

/** The fault of a call, and the number of its attempts that must still fail. */
interface Trouble {
  readonly kind: Fault['kind'] | undefined;
  left: number;
}

/** Faults of an attempt of a call. */
const attemptFaults: ReadonlySet<FaultKind> = new Set(['throttle', 'timeout', 'executed-timeout']);

const never = new Promise<never>(() => undefined);
const tries = new AsyncLocalStorage<{ readonly trouble: Trouble; readonly input: Executed['input'] }>();

export const siteOf = ({ operation, verb }: Context): string => `${operation}: ${verb ?? 'unnamed'}`;

/** Waits for the call's turn. A process that has died never continues. */
async function turn({ schedule }: Between, { caller }: Context, label: string): Promise<void> {
  await schedule.turn(label);
  if (caller.isDead) await never;
}

async function crash({ caller }: Context): Promise<never> {
  caller.die();
  return never;
}

/**
 * Reads an object's body to its end while the schedule counts AWS as busy, because the body arrives after the
 * answer.
 */
async function whole(result: Result): Promise<Result> {
  const { Body } = result.output as { readonly Body?: Readable };
  if (!Body) return result;
  const content = await buffer(Body);
  return { ...result, output: { ...result.output, Body: Readable.from([content]) } };
}

/** Requests the changed item of each update, because the log needs it, also if the product does not. */
const withItem = (input: Executed['input']) =>
  input.ReturnValues === 'NONE' ? { ...input, ReturnValues: 'ALL_NEW' } : input;

/** Returns the output that AWS would have returned without `withItem`. */
const asRequested = (input: Executed['input'], output: Executed['output']): Executed['output'] =>
  input.ReturnValues === 'NONE' ? { ...output, Attributes: undefined } : output;

function aroundCall(between: () => Between, next: Next, command: string) {
  return async (args: { readonly input: Executed['input'] }): Promise<Result> => {
    const context = presentContext();
    const { schedule, faults, seen } = between();
    if (context.caller.isDead) return never;
    const site = siteOf(context);
    const fault = faults.draw(site, context.number);
    if (fault?.kind === 'delay') await schedule.hold();
    await turn(between(), context, `${context.caller.name} ${context.number} ${site}`);
    if (fault?.kind === 'crash-before') return crash(context);

    const trouble = { kind: fault?.kind, left: fault?.tries ?? 0 };
    const work = () =>
      tries.run({ trouble, input: args.input }, async () =>
        whole(await next({ ...args, input: withItem(args.input) } as never)),
      );
    const [result] = await Promise.allSettled([schedule.during(work)]);
    if (fault && attemptFaults.has(fault.kind) && trouble.left === fault.tries) faults.miss(fault, site);
    if (fault?.kind === 'crash-after') return crash(context);
    await turn(between(), context, `${context.caller.name} ${context.number} ${site}, answered`);
    if (result.status === 'rejected') throw result.reason;
    const output = asRequested(args.input, result.value.output as Executed['output']);
    return { ...result.value, output: seen({ context, command, input: args.input, output }) };
  };
}

function aroundTry(between: () => Between, next: Next, command: string) {
  return async (args: object): Promise<Result> => {
    const context = presentContext();
    const { trouble, input } = tries.getStore() ?? { trouble: { kind: undefined, left: 0 }, input: {} };
    const strikes = trouble.left > 0;
    trouble.left -= 1;
    if (strikes && trouble.kind === 'throttle') throw throttled();
    if (strikes && trouble.kind === 'timeout') throw timedOut();
    const result = await next(args as never);
    between().onExecuted({ context, command, input, output: result.output as Executed['output'] });
    if (strikes && trouble.kind === 'executed-timeout') throw timedOut();
    return result;
  };
}

/**
 * Installs the middleware.
 * @param between called for each call, so that one client can serve many sequences
 */
export const interceptCalls =
  (between: () => Between): OnClient =>
  (client) => {
    const stack = client.middlewareStack as unknown as Stack;
    stack.add((next: Next, { commandName = '' }) => aroundCall(between, next, commandName), {
      step: 'initialize',
      priority: 'high',
      name: 'aroundCall',
    });
    stack.add((next: Next, { commandName = '' }) => aroundTry(between, next, commandName), {
      step: 'finalizeRequest',
      priority: 'low',
      name: 'aroundTry',
    });
    Object.assign(client.config, { retryStrategy: async () => retriesAtOnce });
    withConstantSignature(client);
  };
