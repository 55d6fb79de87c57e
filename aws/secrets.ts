/**
 * Secrets of jobs. Each is encrypted in this process with a data key of its own, which is stored beside it as KMS
 * encrypted it: for the endpoint and the job, so that neither another role nor another job can make use of it. The client
 * of KMS is loaded when the first secret comes: most jobs have none.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { JobKey } from '../core/jobs/job.ts';
import type { Secrets } from '../core/world.ts';
import type { DataKeys } from './data-keys.ts';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

const contextOf = ({ endpoint, id }: JobKey) => ({ endpoint, job: id });

function encrypt(key: Uint8Array, text: string): [iv: Buffer, box: Buffer] {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
  return [iv, Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])];
}

function decrypt(key: Uint8Array, iv: Buffer, box: Buffer): string {
  const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(box.subarray(-TAG_BYTES));
  return decipher.update(box.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}

export function createSecrets(): Secrets {
  let dataKeys: DataKeys | undefined;

  async function connect(): Promise<DataKeys> {
    const { createDataKeys } = await import('./data-keys.ts');
    dataKeys ??= createDataKeys();
    return dataKeys;
  }

  return {
    async seal(job, text) {
      const { key, encrypted } = await (await connect()).generate(contextOf(job));
      const parts = [Buffer.from(encrypted), ...encrypt(key, text)];
      return parts.map((part) => part.toString('base64')).join('.');
    },

    async open(job, sealed) {
      const [encrypted, iv, box] = sealed.split('.').map((part) => Buffer.from(part, 'base64'));
      if (!encrypted || !iv || !box) throw new Error(`What is stored as a secret of job ${job.id} is none.`);
      return decrypt(await (await connect()).decrypt(encrypted, contextOf(job)), iv, box);
    },
  };
}
