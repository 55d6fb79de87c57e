/** A request as it goes over the wire, and how it must be answered, whatever it holds. */

/** What the requests of a run have in common. */
export interface Given {
  /** A key that may do everything. */
  readonly key: string;
  /** A key of the right form that was never created. */
  readonly unknownKey: string;
  /** An endpoint whose workers give their input back. */
  readonly endpoint: string;
  /** A job of that endpoint. */
  readonly job: string;
}

export interface Request {
  readonly method: string;
  /** Below the base address; nothing in it is put right on the way. */
  readonly path: string;
  /** Pairs, because names can repeat. Without any, the key alone. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Uint8Array;
}

export interface Row {
  readonly name: string;
  /** Whose base address the path is below; without it that of jobs. */
  readonly at?: 'management';
  readonly request: (given: Given) => Request;
  readonly status: number;
  /** Of an error. */
  readonly code?: string;
  /** Whether CloudFront answers itself: with a page, before anything of ours. */
  readonly atEdge?: true;
  /** The JSON text that the job's output must be. */
  readonly output?: string;
}

/** The form of a table: how a request is refused. */
export const refusedAs = (status: number, code: string) => ({ status, code }) as const;
/** CloudFront refuses the request itself. */
export const refusedAtEdge = { status: 403, atEdge: true } as const;
export const accepted = { status: 200 } as const;
export const malformed = refusedAs(400, 'INVALID_REQUEST');
