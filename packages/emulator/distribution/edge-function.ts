/**
 * CloudFront Functions: code of a template, compiled at the start and run for each request without access to
 * Node.js.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { constants, createContext, Script } from 'node:vm';
import { LocalError } from '../local-error.ts';

/** Maximum size of a function's code, in bytes. */
const CODE_LIMIT = 10_240;

/** The unchecked result of a function. */
export interface EdgeResult {
  /** A request or a response. */
  readonly returned?: unknown;
  /** Id of the origin that the function selected. */
  readonly origin?: string;
}

/**
 * Runs the function.
 * @returns the function's result for an event
 * @throws Error if the function fails
 */
export type EdgeFunction = (event: object) => Promise<EdgeResult>;

/**
 * Code that runs within the function's context, so that the function holds no object of this program. A run returns
 * a string, or a promise of a string if the handler is asynchronous.
 */
const DRIVER = `'use strict';
(ids, log) => {
  const origins = JSON.parse(ids);
  let origin;
  const absent = (name) => () => {
    throw new Error('cf.' + name + ' is unsupported: a function selects an origin with cf.selectRequestOriginById.');
  };
  const cloudfront = {
    selectRequestOriginById(id, ...settings) {
      if (settings.length > 0) throw new Error('cf.selectRequestOriginById takes an id and no settings here.');
      if (!origins.includes(id)) throw new Error('The distribution has no origin ' + id + '.');
      origin = id;
    },
    updateRequestOrigin: absent('updateRequestOrigin'),
    createRequestOriginGroup: absent('createRequestOriginGroup'),
    kvs: absent('kvs'),
  };
  const line = (...values) =>
    log(values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(' '));
  globalThis.console = { log: line, info: line, warn: line, error: line };
  const text = (returned) => JSON.stringify({ returned, origin });
  const run = (handler, event) => {
    origin = undefined;
    const returned = handler(JSON.parse(event));
    return typeof returned?.then === 'function' ? returned.then(text) : text(returned);
  };
  return { cloudfront, run };
}`;

interface Driver {
  readonly cloudfront: object;
  run(handler: unknown, event: string): string | Promise<string>;
}

const IMPORT = /^[ \t]*import\s+(?<name>[\w$]+)\s+from\s+(?<quote>['"])cloudfront\k<quote>[ \t]*;?/gm;

/**
 * Returns a module's code as the body of a function. The parameters are the module's imports, and the result is its
 * handler.
 */
function compile(code: string, where: string): Script {
  const names: string[] = [];
  const body = code.replace(IMPORT, (...match) => {
    names.push((match.at(-1) as { name: string }).name);
    return '';
  });
  try {
    return new Script(`'use strict'; (${names.join(', ')}) => { ${body}\n return handler; }`, { filename: where });
  } catch (error) {
    throw new LocalError(
      `${where} cannot run here: ${(error as Error).message}. A function can import the module cloudfront only.`,
      { cause: error },
    );
  }
}

/** A handler has no timers and no network: if it has not finished when the event loop turns, it never will. */
async function ended(running: Promise<string>): Promise<string> {
  const late = turn(undefined).then(() => {
    throw new Error('The handler did not finish.');
  });
  return Promise.race([running, late]);
}

export interface EdgeFunctionOptions {
  /** Description of the function in a sentence. */
  readonly where: string;
  readonly code: string;
  /** Ids of the origins of the distribution. */
  readonly origins: readonly string[];
  /** Receives each line that the function logs. */
  log(line: string): void;
}

/**
 * Compiles a function.
 * @throws LocalError for code that CloudFront would refuse
 */
export function createEdgeFunction({ where, code, origins, log }: EdgeFunctionOptions): EdgeFunction {
  const size = Buffer.byteLength(code);
  if (size > CODE_LIMIT)
    throw new LocalError(
      `${where} cannot run here: its code has ${size} bytes, and CloudFront accepts at most ${CODE_LIMIT}.`,
    );
  const script = compile(code, where);
  const context = createContext(constants.DONT_CONTEXTIFY, { codeGeneration: { strings: false, wasm: false } });
  const { cloudfront, run } = new Script(DRIVER).runInContext(context)(JSON.stringify(origins), log) as Driver;
  let handler: unknown;
  try {
    handler = script.runInContext(context)(cloudfront);
  } catch (error) {
    throw new LocalError(`${where} cannot run here: ${(error as Error).message}.`, { cause: error });
  }
  if (typeof handler !== 'function') throw new LocalError(`${where} cannot run here: its handler is not a function.`);
  return async (event) => {
    const result = run(handler, JSON.stringify(event));
    return JSON.parse(typeof result === 'string' ? result : await ended(result)) as EdgeResult;
  };
}
