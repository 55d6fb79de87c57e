/**
 * Token buckets of requests that bypass API Gateway, in the endpoints table: one item for each bucket. The item
 * stores the time at which the bucket is full again, instead of a number of tokens. Taking a token delays this time
 * by the time in which one token refills. So a bucket refills without writes, and tasks need not read it. A write
 * that the SDK repeats can take a block twice.
 */

import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { directBlocks } from '../../core/http/ingress.ts';
import { RATE_WINDOW } from '../../core/limits.ts';
import type { DirectBucket, DirectLimits } from '../../core/rates/direct-limit.ts';
import { refusalIn } from '../conditional-write.ts';
import { and, compare, notExists, or, plus, type Update, updateExpression } from '../expressions.ts';

/** The share of a bucket that this process holds. Times are milliseconds since the epoch. */
interface Block {
  readonly bucket: DirectBucket;
  /** Number of tokens in a full block. */
  readonly size: number;
  /** Number of tokens left. */
  tokens: number;
  /**
   * Time after which the next request replaces the block. Its unused tokens then reduce the cost of the new block, and
   * stay usable if the bucket has too few tokens for a new block.
   */
  renewAt: number;
  /** Time until which the bucket has no block. */
  emptyUntil: number;
  /** Whether the bucket was full at the last write. */
  isFull: boolean;
  /** The current request for a block. */
  reserving?: Promise<void> | undefined;
}

/** Maximum number of writes to reserve a block. Other tasks can take blocks between two writes. */
const TRIES = 5;

function newBlock(bucket: DirectBucket): Block {
  const size = Math.max(1, Math.round(bucket.per10Seconds * directBlocks.share));
  return { bucket, size, tokens: 0, renewAt: 0, emptyUntil: 0, isFull: true };
}

export function createDirectLimits(documents: DynamoDBDocumentClient, table: string): DirectLimits {
  const blocks = new Map<string, Block>();

  /**
   * Updates the bucket's item under its condition.
   * @throws ConditionalCheckFailedException with the item
   */
  const write = ({ bucket, operation }: DirectBucket, update: Update) =>
    documents.send(
      new UpdateCommand({
        TableName: table,
        Key: { endpoint: `direct#${bucket}#${operation}`, item: 'bucket' },
        ...updateExpression(update),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );

  /** Takes a block from the bucket. Unused tokens of the last block return to the bucket. */
  async function reserve(block: Block, now: number): Promise<void> {
    const { bucket, size } = block;
    const perToken = RATE_WINDOW / bucket.per10Seconds;
    const maxTokens = bucket.per10Seconds + directBlocks.tasks * size;
    const cost = (size - block.tokens) * perToken;
    const latest = now + maxTokens * perToken - cost;
    for (let tries = 0; tries < TRIES; tries += 1) {
      try {
        if (block.isFull) {
          // A full bucket has no room for returned tokens.
          const isFull = or(notExists('fullAt'), compare('fullAt', '<=', now));
          await write(bucket, { set: { fullAt: now + size * perToken }, condition: isFull });
        } else {
          const hasBlock = and(compare('fullAt', '>', now), compare('fullAt', '<=', latest));
          await write(bucket, { set: { fullAt: plus('fullAt', cost) }, condition: hasBlock });
        }
        Object.assign(block, { tokens: size, renewAt: now + directBlocks.renewal, isFull: false });
        return;
      } catch (error) {
        const fullAt = Number(refusalIn(error).item?.fullAt ?? 0);
        block.isFull = fullAt <= now;
        if (fullAt <= latest) continue;
        block.emptyUntil = now + fullAt - latest;
        return;
      }
    }
    throw new Error(`The bucket of ${bucket.operation} requests of ${bucket.bucket} changed during ${TRIES} writes.`);
  }

  return {
    async take(bucket, now) {
      const name = `${bucket.bucket}#${bucket.operation}`;
      const block = blocks.get(name) ?? newBlock(bucket);
      blocks.set(name, block);
      while ((block.tokens === 0 || block.renewAt <= now) && block.emptyUntil <= now) {
        block.reserving ??= reserve(block, now).finally(() => {
          block.reserving = undefined;
        });
        await block.reserving;
      }
      if (block.tokens === 0) return false;
      block.tokens -= 1;
      return true;
    },
  };
}
