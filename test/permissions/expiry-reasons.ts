import type { Reason } from './reasons.ts';

/** Why roles may do what ends waiting jobs between two sweeps. */
export const expiryReasons: readonly Reason[] = [
  {
    roles: ['Platform/LedgerRecord', 'Platform/SweeperSweep'],
    actions: ['states:StartExecution'],
    resources: ['state machine of timers'],
    why: 'Starts a timer for waiting jobs whose `ttl` runs out before the next sweep.',
  },
  {
    roles: ['Platform/SweeperExpiry'],
    actions: ['lambda:InvokeFunction'],
    resources: ['function that timers call'],
    why: 'Calls the function when the time of the timer has come.',
  },
  {
    roles: ['Platform/SweeperExpire'],
    actions: ['dynamodb:Query'],
    resources: ['endpoints table'],
    why: 'Reads the generation of the queue: a job of an older one was purged.',
  },
  {
    roles: ['Platform/SweeperExpire'],
    actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
    resources: ['jobs table'],
    why: 'Reads the jobs of the timer and ends those that still wait.',
  },
];
