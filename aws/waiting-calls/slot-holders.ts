/**
 * Holders of wait slots: processes that hold many slots at the same time, such as a task of the ingress. A living
 * holder renews an item in the endpoints table, and its leases refer to this item. The slots of a dead holder are
 * therefore free before its leases end.
 *
 * A holder that stalls for longer than its item is valid counts as dead, and other processes take its slots. If it
 * resumes, it gets another tag. Its open calls then continue without a slot, and new calls take slots as usual.
 */
import { randomBytes, randomInt } from 'node:crypto';
import { DeleteCommand, type DynamoDBDocumentClient, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type Clock, systemClock } from '../../core/clock.ts';
import { slotHolding } from '../../core/http/ingress.ts';
import { MINUTE, SECOND, WAIT_LEASE } from '../../core/limits.ts';
import { createDocumentClient, type OnClient } from '../clients.ts';
import { unlessRefused } from '../conditional-write.ts';
import { environment } from '../environment.ts';
import {
  and,
  type Condition,
  compare,
  conditionExpression,
  notExists,
  or,
  queryExpression,
  updateExpression,
} from '../expressions.ts';

const PARTITION = 'waits#holders';
/** Length of a tag: three digits of base 36. A tag is part of each lease, so it is short. */
const TAG_DIGITS = 3;
const TAGS = 36 ** TAG_DIGITS;
/** Maximum number of tags that a new holder tries, if other holders have them. */
const TRIES = 10;
/** Maximum difference between the clocks of holders. */
const SKEW = 2 * SECOND;
/**
 * Time after a holder's death for which its item is stored and marks it as dead. All its leases have ended by the
 * end of this time.
 */
const KEPT = WAIT_LEASE + 2 * MINUTE;
/** Interval between reads of the holders. */
const READ_AGAIN = SECOND;

interface StoredHolder {
  readonly tag: string;
  /** Milliseconds since the epoch at which the holder is dead unless it renews its item. */
  readonly until: number;
}

async function readHolders(documents: DynamoDBDocumentClient, table: string): Promise<StoredHolder[]> {
  const { Items = [] } = await documents.send(
    new QueryCommand({
      TableName: table,
      ...queryExpression(compare('endpoint', '=', PARTITION)),
      ConsistentRead: true,
    }),
  );
  return Items.map(({ item, until }) => ({ tag: String(item), until: Number(until) }));
}

/**
 * Creates a function that returns the tags of dead holders. The result is at most one second older than `now`. A tag
 * without an item is not dead: it can be new, and the leases of a removed tag have ended.
 */
export function createDeadHolders(documents: DynamoDBDocumentClient, table: string) {
  let last = { at: Number.NEGATIVE_INFINITY, dead: Promise.resolve<ReadonlySet<string>>(new Set()) };
  async function read(now: number): Promise<ReadonlySet<string>> {
    const holders = await readHolders(documents, table);
    return new Set(holders.filter(({ until }) => until <= now).map(({ tag }) => tag));
  }
  return (now: number): Promise<ReadonlySet<string>> => {
    if (now - last.at >= READ_AGAIN) {
      const own = { at: now, dead: read(now) };
      last = own;
      own.dead.catch(() => {
        if (last === own) last = { ...own, at: Number.NEGATIVE_INFINITY };
      });
    }
    return last.dead;
  };
}

export interface SlotHolder {
  /** Returns the tag of new leases. */
  tag(): Promise<string>;
  /** Renews the holder's item, or takes another tag if the item is no longer valid. Called every 5 s after `start`. */
  beat(): Promise<void>;
  /** Stores the holder, and renews its item until `stop`. */
  start(): Promise<void>;
  /** Marks the holder as dead, which releases the slots of its open calls. */
  stop(): Promise<void>;
}

/** Creates a holder in the table `ENDPOINTS_TABLE`. A process has one holder. */
export function createSlotHolder(clock: Clock = systemClock, onClient?: OnClient): SlotHolder {
  const documents = createDocumentClient(onClient);
  const table = environment('ENDPOINTS_TABLE');
  const token = randomBytes(9).toString('base64url');
  const isOwn = compare('token', '=', token);
  let held: StoredHolder | undefined;
  let beating: Promise<void> | undefined;
  let isRunning = false;

  /**
   * Writes the holder's item.
   * @returns false if the condition does not hold
   */
  const write = (tag: string, until: number, condition: Condition) =>
    unlessRefused(
      documents.send(
        new UpdateCommand({
          TableName: table,
          Key: { endpoint: PARTITION, item: tag },
          ...updateExpression({ set: { until, token }, condition }),
        }),
        { abortSignal: AbortSignal.timeout(slotHolding.maxTime) },
      ),
    );

  /** Removes the items of holders whose leases have ended. The table has no automatic removal. */
  async function removeOld(): Promise<void> {
    const before = clock.now() - KEPT;
    for (const { tag, until } of await readHolders(documents, table)) {
      if (until > before) continue;
      await unlessRefused(
        documents.send(
          new DeleteCommand({
            TableName: table,
            Key: { endpoint: PARTITION, item: tag },
            ...conditionExpression(compare('until', '=', until)),
          }),
        ),
      );
    }
  }

  async function register(): Promise<void> {
    await removeOld();
    for (let tries = 0; tries < TRIES; tries += 1) {
      const tag = randomInt(TAGS).toString(36).padStart(TAG_DIGITS, '0');
      const until = clock.now() + slotHolding.valid;
      // If the SDK repeats this write, the item already has this token and this `until`. An item with this token and
      // another `until` is an earlier, dead tag of this holder, which must not be used again.
      const isFree = or(notExists('token'), and(isOwn, compare('until', '=', until)));
      if (!(await write(tag, until, isFree))) continue;
      held = { tag, until };
      return;
    }
    throw new Error(`All ${TRIES} tags of wait slots that were chosen at random already have holders.`);
  }

  async function renew(): Promise<void> {
    const now = clock.now();
    const until = now + slotHolding.valid;
    const isAlive = and(isOwn, compare('until', '>', now + SKEW));
    if (held && (await write(held.tag, until, isAlive))) held = { ...held, until };
    else await register();
  }

  function beat(): Promise<void> {
    beating ??= renew().finally(() => {
      beating = undefined;
    });
    return beating;
  }

  async function beatOn(): Promise<void> {
    let pause: number = slotHolding.beat;
    while (isRunning) {
      await clock.pause(pause);
      if (!isRunning) return;
      pause = await beat().then(
        () => slotHolding.beat,
        () => slotHolding.again,
      );
    }
  }

  return {
    beat,

    async tag() {
      if (!held || held.until <= clock.now() + SKEW) await beat();
      if (!held) throw new Error('The holder of wait slots has no tag yet.');
      return held.tag;
    },

    async start() {
      isRunning = true;
      await beat();
      void beatOn();
    },

    async stop() {
      isRunning = false;
      // A failed beat does not matter, because the next write marks the holder as dead.
      await beating?.catch(() => undefined);
      if (held) await write(held.tag, clock.now(), isOwn);
      held = undefined;
    },
  };
}
