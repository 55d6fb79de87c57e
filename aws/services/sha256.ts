/** SHA-256 for the signer of the SDK. The SDK's own class creates the key of a signature again for each signature. */
import { createHash, createHmac, createSecretKey, type Hash, type Hmac, type KeyObject } from 'node:crypto';

/** What the signer hashes. */
type Data = string | ArrayBuffer | ArrayBufferView;

const bytesOf = (data: Exclude<Data, string>): Uint8Array =>
  ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data);

/** Keys by their bytes. The signer keeps the bytes of a day's key, and passes the same object for each signature. */
const keys = new WeakMap<object, KeyObject>();

function keyFrom(secret: Data): string | KeyObject {
  if (typeof secret === 'string') return secret;
  let key = keys.get(secret);
  if (!key) {
    key = createSecretKey(bytesOf(secret));
    keys.set(secret, key);
  }
  return key;
}

/** The SHA-256 of data, or their HMAC-SHA-256 with a secret. */
export class Sha256 {
  readonly #hash: Hash | Hmac;

  constructor(secret?: Data) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', keyFrom(secret));
  }

  update(data: Data): void {
    this.#hash.update(typeof data === 'string' ? data : bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}
