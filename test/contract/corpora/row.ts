/** A request on the wire, and its required response. */
import type { WireRequest } from '../../../bin/verify/wire.ts';

/** Values that all requests of a run share. */
export interface Given {
  /** A key with all permissions. */
  readonly key: string;
  /** A well-formed key that was never created. */
  readonly unknownKey: string;
  /** Id of an endpoint whose workers return their input. */
  readonly endpoint: string;
  /** Id of a job of that endpoint. */
  readonly job: string;
}

export interface Row {
  readonly name: string;
  /**
   * The interface whose base address precedes the path.
   * @default - the job interface
   */
  readonly at?: 'management';
  readonly request: (given: Given) => WireRequest;
  readonly status: number;
  /** Required code of the error. */
  readonly code?: string;
  /** Whether CloudFront answers with its own page before the request reaches the service. */
  readonly atEdge?: true;
  /** Required JSON of the job's output. */
  readonly output?: string;
}

/** Returns the required refusal of a request. */
export const refusedAs = (status: number, code: string) => ({ status, code }) as const;
/** The refusal by CloudFront itself. */
export const refusedAtEdge = { status: 403, atEdge: true } as const;
export const accepted = { status: 200 } as const;
export const malformed = refusedAs(400, 'INVALID_REQUEST');
