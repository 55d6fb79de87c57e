/**
 * Holders of wait slots: processes that hold many slots at once, such as a task of the ingress. While a holder lives it
 * renews an item in the endpoints table, and its leases name that item. So the slots of a holder that has died are free
 * soon, and not when its leases end.
 *
 * A holder that stalls for longer than its item is valid is dead for all others: they take its slots. If it comes back it
 * gets another tag. Calls that it has under way then end without a slot, and new ones take slots like any other.
 */
import { randomBytes, randomInt } from 'node:crypto';
import { DeleteCommand, type DynamoDBDocumentClient, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type Clock, systemClock } from '../../core/clock.ts';
import { slotHolding } from '../../core/http/ingress.ts';
import { MINUTE, SECOND, WAIT_LEASE } from '../../core/limits.ts';
import { createDocumentClient, type OnClient } from '../clients.ts';
import { unlessRefused } from '../conditional-write.ts';
import { environment } from '../environment.ts';

const PARTITION = 'waits#holders';
/** A tag is part of each lease, so it is short: three digits of base 36. */
const TAG_DIGITS = 3;
const TAGS = 36 ** TAG_DIGITS;
/** Tags that a new holder tries, if each has another holder. */
const TRIES = 10;
/** Clocks of holders differ by less. */
const SKEW = 2 * SECOND;
/** Leases of a holder are over so long after its death. Until then its item says that it is dead. */
const KEPT = WAIT_LEASE + 2 * MINUTE;
/** Holders are read again after so long. */
const READ_AGAIN = SECOND;

const names = { '#until': 'until', '#token': 'token' };

interface StoredHolder {
  readonly tag: string;
  /** Milliseconds since the epoch: when the holder is dead unless it renews its item. */
  readonly until: number;
}

async function readHolders(documents: DynamoDBDocumentClient, table: string): Promise<StoredHolder[]> {
  const { Items = [] } = await documents.send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: '#endpoint = :partition',
      ExpressionAttributeNames: { '#endpoint': 'endpoint' },
      ExpressionAttributeValues: { ':partition': PARTITION },
      ConsistentRead: true,
    }),
  );
  return Items.map(({ item, until }) => ({ tag: String(item), until: Number(until) }));
}

/**
 * @returns the tags of holders that are dead, as they were at most a second before `now`. A tag without an item is not
 * dead: it may be new, and the leases of one that was removed are over.
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
  /** The tag of leases that begin now. */
  tag(): Promise<string>;
  /** Renews the holder's item, or takes another tag if the item was no longer valid. `start` calls it every 5 s. */
  beat(): Promise<void>;
  /** Stores the holder, and renews its item until `stop`. */
  start(): Promise<void>;
  /** Marks the holder as dead: slots that its calls have not released are free. */
  stop(): Promise<void>;
}

/** A holder in the table `ENDPOINTS_TABLE`: one for a process. */
export function createSlotHolder(clock: Clock = systemClock, onClient?: OnClient): SlotHolder {
  const documents = createDocumentClient(onClient);
  const table = environment('ENDPOINTS_TABLE');
  const token = randomBytes(9).toString('base64url');
  let held: StoredHolder | undefined;
  let beating: Promise<void> | undefined;
  let isRunning = false;

  /** @returns false if the item is not that of a living holder with our token */
  const write = (tag: string, until: number, condition: string, values: Record<string, unknown>) =>
    unlessRefused(
      documents.send(
        new UpdateCommand({
          TableName: table,
          Key: { endpoint: PARTITION, item: tag },
          UpdateExpression: 'SET #until = :until, #token = :token',
          ConditionExpression: condition,
          ExpressionAttributeNames: names,
          ExpressionAttributeValues: { ':until': until, ':token': token, ...values },
        }),
        { abortSignal: AbortSignal.timeout(slotHolding.longest) },
      ),
    );

  /** Removes the items of holders whose leases are over: the table removes none by itself. */
  async function removeOld(): Promise<void> {
    const before = clock.now() - KEPT;
    for (const { tag, until } of await readHolders(documents, table)) {
      if (until > before) continue;
      await unlessRefused(
        documents.send(
          new DeleteCommand({
            TableName: table,
            Key: { endpoint: PARTITION, item: tag },
            ConditionExpression: '#until = :until',
            ExpressionAttributeNames: { '#until': names['#until'] },
            ExpressionAttributeValues: { ':until': until },
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
      // A repeated call of the SDK finds its own token. A tag that this holder had before is dead.
      const isFree = 'attribute_not_exists(#token) OR (#token = :token AND #until = :until)';
      if (!(await write(tag, until, isFree, {}))) continue;
      held = { tag, until };
      return;
    }
    throw new Error(`${TRIES} tags of wait slots that were chosen at random have holders.`);
  }

  async function renew(): Promise<void> {
    const now = clock.now();
    const until = now + slotHolding.valid;
    const lives = '#token = :token AND #until > :now';
    if (held && (await write(held.tag, until, lives, { ':now': now + SKEW }))) held = { ...held, until };
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
      if (!held) throw new Error('The holder of wait slots has no tag.');
      return held.tag;
    },

    async start() {
      isRunning = true;
      await beat();
      void beatOn();
    },

    async stop() {
      isRunning = false;
      await beating?.catch(() => undefined);
      if (held) await write(held.tag, clock.now(), '#token = :token', {});
      held = undefined;
    },
  };
}
