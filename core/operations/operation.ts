/** The definition of an operation: everything that the stacks, the descriptions and the console know of it. */
import { SECOND } from '../limits.ts';
import type { ErrorCode } from '../openapi/codes.ts';
import type { Schema } from '../openapi/schema.ts';
import type { Tag } from '../openapi/tags.ts';
import type { Role } from '../users/role.ts';
import type { Route } from './route.ts';

/**
 * Timeout of a function whose response API Gateway buffers, in milliseconds: just below the 29 s for which API Gateway
 * waits. If the tables are slow, a client gets its response late and not a 500.
 */
export const BUFFERED = 28 * SECOND;

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'header';
  readonly description: string;
  readonly schema: Schema;
  /** Serialization of a list. */
  readonly style?: 'form';
  readonly explode?: boolean;
}

/** The description of an operation in OpenAPI, beside its route. */
export interface OperationDescription {
  readonly tag: Tag;
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  /** Schema of the body of a POST, PUT or PATCH. */
  readonly body?: Schema;
  /** Largest body, in bytes. */
  readonly maxBytes?: number;
  /** An example of the body in JSON. */
  readonly example?: object;
  /**
   * Schemas of bodies and responses by media type.
   * @default - only JSON
   */
  readonly bodyTypes?: Readonly<Record<string, Schema>>;
  readonly answerTypes?: Readonly<Record<string, Schema>>;
  /** Schema of errors in addition to that of the gateway. */
  readonly error?: Schema;
  /** Whether the operation accepts a job and returns its id in a header. */
  readonly submits?: boolean;
  /**
   * Schema of the response in JSON.
   * @default - only the types of `answerTypes`
   */
  readonly answer?: Schema;
  /** Codes in addition to those of all operations. */
  readonly codes?: readonly ErrorCode[];
}

/** The function that serves an operation. */
export interface OperationFunction {
  /** Id of the construct. Another id replaces the function and its log group. */
  readonly id: string;
  /** Path of the source file. Functions with the same file share its bundle. */
  readonly handler: string;
  /**
   * Name of the handler in the file.
   * @default 'handler'
   */
  readonly export?: string;
  /** What the function does. Its description in Lambda is the methods, the path and this sentence. */
  readonly does: string;
  /**
   * Milliseconds.
   * @default BUFFERED
   */
  readonly timeout?: number;
}

/** Callers with a key: by operation, with the text of the operation for the console, or by scope or audience. */
type KeyAccess =
  | { readonly keyText: string; readonly scope?: never; readonly audience?: never }
  | { readonly keyText?: never; readonly scope: Route['scope'] & string; readonly audience?: never }
  | { readonly keyText?: never; readonly scope?: never; readonly audience: Route['audience'] & string };

export type OperationDefinition = Omit<Route, 'scope' | 'audience'> &
  OperationDescription &
  KeyAccess & {
    /** The lowest role of a user of the console that may call the operation. */
    readonly role: Role;
    readonly lambda: OperationFunction;
    /**
     * Whether a call can wait for a job. If the deployment has the ingress, it serves these operations.
     * @default false
     */
    readonly waits?: true;
    /**
     * The distribution sends requests of at least this many bytes, or of unknown length, directly to the ingress. API
     * Gateway accepts 10 MB. A function accepts an event of 6,291,456 bytes, in which each byte of a body can become
     * two.
     * @default - no body goes directly to the ingress
     */
    readonly minDirectBytes?: number;
  };

export type OperationDefinitions = Readonly<Record<string, OperationDefinition>>;
