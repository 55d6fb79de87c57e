/**
 * ECS task scale-in protection: neither a release nor a scale-in stops a protected worker. Every container of an
 * ECS task can call the ECS agent endpoint. A worker outside ECS needs no protection.
 */
import type { Clock } from '../../core/clock.ts';
import { MINUTE, PROTECTION, SECOND } from '../../core/limits.ts';
import { protectionFrom } from '../../core/workers/ecs-answers.ts';

/** Time limit of a call. The agent endpoint calls ECS before it answers. */
const REQUEST = 10 * SECOND;
const PAUSE_AFTER_ERROR = 10 * SECOND;
/** Pause after a refusal. Many workers may be refused, and ECS limits how often an account may call. */
const PAUSE_WHILE_BLOCKED = 5 * SECOND;

/** ECS already protects as many tasks of the service as are desired, and refuses to protect this task. */
export class ProtectionBlocked extends Error {
  override readonly name = 'ProtectionBlocked';
}

const BLOCKED = 'DEPLOYMENT_BLOCKED';

export interface Protection {
  /**
   * Protects the worker. Returns immediately while the protection lasts long enough, so most takes do not wait
   * for ECS.
   * @throws ProtectionBlocked if ECS protects no more tasks of the service
   * @throws any other failure to protect the worker; without protection, the worker takes no job
   */
  protect(): Promise<void>;
  /**
   * Renews the protection in time while it is wanted, and removes it otherwise. Called every `WATCH`. Passes a
   * failure to `onError` and retries later. Reports nothing if ECS protects no more tasks of the service.
   */
  keep(wanted: boolean): Promise<void>;
  /** Start of the current unbroken protection, in milliseconds; undefined while the worker is not protected. */
  since(): number | undefined;
}

export interface ProtectionOptions {
  /** Value of `ECS_AGENT_URI`, which is set only on ECS. */
  readonly uri: string | undefined;
  readonly clock: Clock;
  onError(error: unknown): void;
}

/** Sets the protection. Checks the body of the response, because ECS refuses with status 200. */
async function put(uri: string, enabled: boolean): Promise<void> {
  const body = enabled
    ? { ProtectionEnabled: true, ExpiresInMinutes: PROTECTION / MINUTE }
    : { ProtectionEnabled: false };
  const response = await fetch(`${uri}/task-protection/v1/state`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(REQUEST),
  });
  const text = await response.text();
  const { protection, failure } = response.ok ? protectionFrom(text) : {};
  if (protection?.ProtectionEnabled === enabled) return;
  const Failure = failure?.Reason === BLOCKED ? ProtectionBlocked : Error;
  throw new Failure(`ECS did not set the protection of this task to ${enabled}: ${response.status} ${text}`);
}

export function createProtection({ uri, ...options }: ProtectionOptions): Protection {
  if (uri === undefined) return { protect: async () => undefined, keep: async () => undefined, since: () => undefined };
  return protectionAt(uri, options);
}

function protectionAt(uri: string, { clock, onError }: Omit<ProtectionOptions, 'uri'>): Protection {
  /** Time until which the worker is certainly protected, in milliseconds since the epoch. */
  let endsAt = 0;
  /** Whether the worker might be protected. A failed call might have set the protection. */
  let maybe = false;
  let since: number | undefined;
  let pausedUntil = 0;
  /** Runs calls one after the other: a removal in progress must not undo the protection that a take asks for. */
  let last: Promise<void> = Promise.resolve();

  function inTurn(action: () => Promise<void>): Promise<void> {
    const done = last.then(action);
    last = done.catch(() => undefined);
    return done;
  }

  async function protect(): Promise<void> {
    const now = clock.now();
    if (endsAt - now > PROTECTION / 2) return;
    maybe = true;
    await put(uri, true);
    endsAt = now + PROTECTION;
    since ??= now;
  }

  async function remove(): Promise<void> {
    if (!maybe) return;
    endsAt = 0;
    since = undefined;
    await put(uri, false);
    maybe = false;
  }

  return {
    protect: () => inTurn(protect),
    since: () => since,

    async keep(wanted) {
      if (!maybe || clock.now() < pausedUntil) return;
      await inTurn(wanted ? protect : remove).catch((error: unknown) => {
        const isBlocked = error instanceof ProtectionBlocked;
        pausedUntil = clock.now() + (isBlocked ? PAUSE_WHILE_BLOCKED : PAUSE_AFTER_ERROR);
        if (!isBlocked) onError(error);
      });
    },
  };
}
