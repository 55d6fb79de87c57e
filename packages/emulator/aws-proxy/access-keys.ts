/** The secret access keys of a run. They are random, and only processes of the run get them. */
import { createHmac, randomBytes } from 'node:crypto';

export interface AccessKeys {
  /** Returns the secret access key with which a session of the role signs its calls. */
  secretOf(role: string, session: string): string;
}

/** Derives all keys from one random key, so that a key cannot be computed from others. */
export function createAccessKeys(): AccessKeys {
  const runKey = randomBytes(32);
  return {
    secretOf: (role, session) =>
      createHmac('sha256', runKey)
        .update(JSON.stringify([role, session]))
        .digest('base64url'),
  };
}
