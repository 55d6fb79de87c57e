/** Requests that the functions behind API Gateway and the ingress pass to use-cases. */
import type { QueryValue } from '../requests/validation.ts';

/** A body in memory. A call that can wait for minutes releases its body before it waits. */
export class RequestBody {
  #bytes: Buffer | undefined;
  readonly #onRelease: () => void;

  /** @param onRelease called once, when the memory can be reused */
  constructor(bytes: Buffer, onRelease: () => void = () => undefined) {
    this.#bytes = bytes;
    this.#onRelease = onRelease;
  }

  /**
   * Returns the bytes of the body.
   * @throws Error after the release
   */
  get bytes(): Buffer {
    if (!this.#bytes) throw new Error('The body was released.');
    return this.#bytes;
  }

  /** Releases the bytes; further calls change nothing. */
  release(): void {
    if (!this.#bytes) return;
    this.#bytes = undefined;
    this.#onRelease();
  }
}

/** A request of the job interface. */
export interface JobRequest {
  /** Path parameters; an absent parameter is empty. */
  readonly endpoint: string;
  readonly job: string;
  readonly query: Query;
  /** Unparsed. */
  readonly body: RequestBody;
  /** The header `Idempotency-Key`, if the client sent it. */
  readonly idempotencyKey?: string | undefined;
  /** The header `traceparent`, if the client sent it. */
  readonly traceparent?: string | undefined;
  /** The header `User-Agent`, if the client sent it. */
  readonly userAgent?: string | undefined;
  /** Owner of the client key. */
  readonly owner: string;
  /** Id of the API key; absent for a user. */
  readonly keyId?: string | undefined;
  /**
   * Aborted when the client closes its connection.
   * @default - the server cannot detect a closed connection
   */
  readonly gone?: AbortSignal | undefined;
}

/** A request that is forwarded to a worker, with its path, query and body. */
export interface ForwardedRequest extends JobRequest {
  readonly method: string;
  /** The decoded value of the greedy path parameter; empty if absent. */
  readonly path: string;
  /** Query string without its question mark. */
  readonly queryText: string;
  readonly contentType?: string | undefined;
}

/** Query parameters by name. */
export type Query = Readonly<Partial<Record<string, QueryValue>>>;

/**
 * Returns the name of a parameter without the brackets of a list: `a=1&a=2`, `a[]=1` and `a[0]=1` are all lists of `a`,
 * even with one value.
 */
function withoutBrackets(name: string): string {
  if (!name.endsWith(']')) return name;
  const open = name.indexOf('[', name.lastIndexOf(']', name.length - 2) + 1);
  return open < 0 ? name : name.slice(0, open);
}

/**
 * Collects query parameters by name. A list contains all its values, so that an error message can show them.
 * @param sent names and values, decoded, in the order of the query
 */
export function queryOf(sent: Iterable<readonly [name: string, value: string]>): Query {
  const query = [...Map.groupBy(sent, ([name]) => withoutBrackets(name))].map(([plain, parameters]) => {
    const values = parameters.map(([, value]) => value);
    const isList = values.length !== 1 || parameters.some(([name]) => name !== plain);
    return [plain, isList ? values : (values[0] ?? '')] as const;
  });
  return Object.fromEntries(query);
}
