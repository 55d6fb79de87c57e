/** A request as it is sent over the wire, and its required response. */

/** The values that the requests of a run share. */
export interface Given {
  /** A key that may do everything. */
  readonly key: string;
  /** A well-formed key that was never created. */
  readonly unknownKey: string;
  /** An endpoint whose workers return their input. */
  readonly endpoint: string;
  /** A job of that endpoint. */
  readonly job: string;
}

export interface Request {
  readonly method: string;
  /** Below the base address; nothing normalizes it on the way. */
  readonly path: string;
  /** Pairs, because names can repeat. Without any, the key alone. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Uint8Array;
}

export interface Row {
  readonly name: string;
  /** The interface whose base address precedes the path. @default - that of jobs */
  readonly at?: 'management';
  readonly request: (given: Given) => Request;
  readonly status: number;
  /** Code of an error. */
  readonly code?: string;
  /** Whether CloudFront answers itself: with a page, before anything of ours. */
  readonly atEdge?: true;
  /** The JSON text that the job's output must be. */
  readonly output?: string;
}

/** The required refusal of a request. */
export const refusedAs = (status: number, code: string) => ({ status, code }) as const;
/** CloudFront refuses the request itself. */
export const refusedAtEdge = { status: 403, atEdge: true } as const;
export const accepted = { status: 200 } as const;
export const malformed = refusedAs(400, 'INVALID_REQUEST');
