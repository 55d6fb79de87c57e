/** Expiration rules of S3 lifecycles, which the emulator does not apply: removes objects that have expired. */
import { DeleteObjectsCommand, paginateListObjectsV2, type S3Client } from '@aws-sdk/client-s3';

export interface ExpiringObjects {
  /** Name of the bucket. */
  readonly name: string;
  /** Prefix of the keys. */
  readonly prefix: string;
  /** Milliseconds. */
  readonly maxAge: number;
}

/** Milliseconds between two removals. */
const PERIOD = 3_600_000;

/**
 * Removes the objects to which the rule applies now.
 * @returns their number
 */
export async function removeOld(
  s3: S3Client,
  { name, prefix, maxAge }: ExpiringObjects,
  now = Date.now,
): Promise<number> {
  const limit = now() - maxAge;
  const pages = paginateListObjectsV2({ client: s3 }, { Bucket: name, Prefix: prefix });
  let removed = 0;
  for await (const { Contents = [] } of pages) {
    const old = Contents.filter(({ LastModified }) => LastModified && LastModified.getTime() <= limit);
    if (old.length === 0) continue;
    const Objects = old.map(({ Key }) => ({ Key }));
    await s3.send(new DeleteObjectsCommand({ Bucket: name, Delete: { Objects, Quiet: true } }));
    removed += old.length;
  }
  return removed;
}

/**
 * Removes expired objects now and every hour.
 * @returns function that stops the removals
 */
export function startObjectExpiry(
  s3: S3Client,
  rules: readonly ExpiringObjects[],
  notify: (text: string) => void,
): () => void {
  let busy = false;
  const sweep = async () => {
    if (busy) return;
    busy = true;
    try {
      for (const rule of rules) await removeOld(s3, rule);
    } catch (error) {
      notify(`Expired objects could not be removed: ${error}`);
    } finally {
      busy = false;
    }
  };
  void sweep();
  const timer = setInterval(sweep, PERIOD);
  return () => clearInterval(timer);
}
