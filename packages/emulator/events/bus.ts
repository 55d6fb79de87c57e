/** EventBridge on this machine: the default bus, its rules, and their schedules. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { account } from '../account.ts';
import { FunctionThrottled } from '../functions/call.ts';
import type { Functions } from '../functions/functions.ts';
import type { Matches } from './pattern.ts';

export interface BusEvent {
  readonly source: string;
  readonly 'detail-type': string;
  readonly detail: object;
  readonly resources?: readonly string[];
}

export interface Rule {
  readonly arn: string;
  /** Returns whether an event matches the rule's pattern. */
  readonly matches?: Matches;
  /** Period of the rule's schedule, in milliseconds. */
  readonly period?: number;
  readonly targets: readonly Target[];
}

export interface Target {
  readonly functionArn: string;
  /** Input of the function, which replaces the event. */
  readonly input?: object;
}

export interface EventBus {
  /** Delivers the event to the targets of every matching rule. */
  put(event: BusEvent): void;
  /** Starts the rules with a schedule, which fire immediately. */
  start(): void;
  /** Stops schedules and deliveries. Function calls in progress continue. */
  stop(): void;
}

/** Times that tests can replace, in milliseconds. */
export interface BusClock {
  now(): number;
  /** Repeats the task until the signal is aborted. */
  every(period: number, task: () => void, stop: AbortSignal): void;
  pause(milliseconds: number, stop: AbortSignal): Promise<void>;
}

/**
 * Pauses before retries. EventBridge uses Lambda's asynchronous invocation, which retries a failed function twice,
 * after one minute and after two more minutes. Here a minute is a second, because the user waits.
 */
const RETRY_PAUSES = [1_000, 2_000];
const THROTTLE_PAUSE = 1_000;

const realClock: BusClock = {
  now: Date.now,
  every(period, task, stop) {
    const timer = setInterval(task, period);
    stop.addEventListener('abort', () => clearInterval(timer));
  },
  pause: (milliseconds, stop) => delay(milliseconds, undefined, { signal: stop }).catch(() => undefined),
};

/**
 * Creates the bus.
 * @param rules the rules, to which rules can be added later
 * @param notify prints a message for the user if an event is lost
 */
export function createEventBus(
  functions: Pick<Functions, 'invoke'>,
  rules: readonly Rule[],
  notify: (text: string) => void,
  clock: BusClock = realClock,
): EventBus {
  const stopping = new AbortController();

  const envelope = ({ source, detail, resources = [], ...rest }: BusEvent) => ({
    version: '0',
    id: randomUUID(),
    'detail-type': rest['detail-type'],
    source,
    account: account.id,
    time: new Date(clock.now()).toISOString().replace(/\.\d+/, ''),
    region: account.region,
    resources,
    detail,
  });

  /**
   * Calls a function, and repeats a throttled call after a pause. Lambda repeats a throttled asynchronous call later;
   * here a second represents a minute.
   */
  async function invoke(functionArn: string, event: object): Promise<void> {
    for (;;) {
      try {
        await functions.invoke(functionArn, event);
        return;
      } catch (error) {
        if (!(error instanceof FunctionThrottled) || stopping.signal.aborted) throw error;
        await clock.pause(THROTTLE_PAUSE, stopping.signal);
      }
    }
  }

  async function deliver({ arn }: Rule, { functionArn, input }: Target, event: object): Promise<void> {
    for (const wait of [...RETRY_PAUSES, undefined]) {
      if (stopping.signal.aborted) return;
      try {
        await invoke(functionArn, input ?? event);
        return;
      } catch (error) {
        if (stopping.signal.aborted) return;
        if (wait === undefined) notify(`An event of ${arn} is lost, because ${functionArn} failed: ${error}`);
        else await clock.pause(wait, stopping.signal);
      }
    }
  }

  const fire = (rule: Rule, event: object) => Promise.all(rule.targets.map((target) => deliver(rule, target, event)));

  function schedule(rule: Rule, period: number): void {
    let busy = false;
    const tick = async () => {
      if (busy) return;
      busy = true;
      const event = { source: 'aws.events', 'detail-type': 'Scheduled Event', detail: {}, resources: [rule.arn] };
      await fire(rule, envelope(event));
      busy = false;
    };
    void tick();
    clock.every(period, () => void tick(), stopping.signal);
  }

  return {
    put(occurrence) {
      const event = envelope(occurrence);
      for (const rule of rules) if (rule.matches?.(event)) void fire(rule, event);
    },
    start() {
      for (const rule of rules) if (rule.period !== undefined) schedule(rule, rule.period);
    },
    stop: () => stopping.abort(),
  };
}
