/** The parts of the OpenAPI documents of this project that the pages show. */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Schema;
}

export type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: object }>>;

export interface Body {
  readonly description?: string;
  readonly content: Content;
}

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly description: string }>>;
  readonly content: Content;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** Security schemes that replace those of the document. */
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Response>>;
  readonly 'x-rate-limit': { readonly requestsPer10Seconds: number };
}

export interface OpenApi {
  readonly info: { readonly description: string };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<string, { readonly description: string }>>;
  };
}

/** An operation with all its methods, which share a path and a summary. */
export interface NamedOperation {
  readonly name: string;
  readonly path: string;
  /** By method, in upper case. */
  readonly methods: ReadonlyMap<string, Operation>;
  /** The operation of the first method. */
  readonly first: Operation;
}

/** Returns the operations of a document in its order. */
export function operationsIn({ paths }: OpenApi): NamedOperation[] {
  return Object.entries(paths).flatMap(([path, byMethod]) => {
    const alike = Map.groupBy(Object.entries(byMethod), ([, { summary }]) => summary);
    return [...alike.values()].flatMap((those) => {
      const [first] = those.map(([, operation]) => operation);
      const methods = new Map(those.map(([method, operation]) => [method.toUpperCase(), operation]));
      return first ? [{ name: first.operationId, path, methods, first }] : [];
    });
  });
}

/** Returns the error codes of a response, which its description lists. */
export const codesOf = ({ description }: Response): string[] =>
  [...description.matchAll(/`([A-Z_]+)`/g)].map(([, code = '']) => code);
