/** The issuer's data that outlive a run: the key that signs tokens, and the code that opens the sign-in page. */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import type { StateDirectory } from '../state/state-directory.ts';

export interface Identity {
  /** Id of the key in tokens. */
  readonly kid: string;
  readonly privateKey: KeyObject;
  /** The public key, as the issuer publishes it. */
  readonly jwk: Readonly<Record<string, unknown>>;
  /** The code in the link that the terminal prints. Without the code, the page signs in no user. */
  readonly code: string;
}

const FILE = 'cognito.json';

interface Kept {
  readonly kid: string;
  readonly key: JsonWebKey;
  readonly code: string;
}

function make(): Kept {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    kid: randomBytes(12).toString('base64url'),
    key: privateKey.export({ format: 'jwk' }),
    code: randomBytes(18).toString('base64url'),
  };
}

/** Reads the identity, or creates one for a new state directory. */
export function readIdentity(state: Pick<StateDirectory, 'readJson' | 'writeJson'>): Identity {
  let kept = state.readJson<Kept>(FILE);
  if (!kept) {
    kept = make();
    state.writeJson(FILE, kept);
  }
  const { kid, key, code } = kept;
  const privateKey = createPrivateKey({ key, format: 'jwk' });
  const { kty, n, e } = createPublicKey(privateKey).export({ format: 'jwk' });
  return { kid, privateKey, code, jwk: { kty, n, e, kid, alg: 'RS256', use: 'sig' } };
}
