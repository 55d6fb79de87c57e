/**
 * Serves test files as `@jest/globals`. Modules of this folder are loaded once per process, so each name forwards
 * to the object that Jest has created for the current test file.
 */
import type * as Jest from '@jest/globals';

type Globals = Pick<
  typeof Jest,
  'afterAll' | 'afterEach' | 'beforeAll' | 'beforeEach' | 'describe' | 'expect' | 'it' | 'jest' | 'test'
>;

let present: Globals | undefined;

/** Sets the globals of a test file. The runtime calls this function before it loads the file. */
export function provideGlobals(globals: Globals): void {
  present = globals;
}

function forward<Name extends keyof Globals>(name: Name): Globals[Name] {
  const target = (): object => {
    if (!present) throw new Error(`${name} is not available here: only test files may use it.`);
    return present[name];
  };
  const proxy = new Proxy(() => undefined, {
    apply: (_, self, args) => Reflect.apply(target() as () => unknown, self, args),
    get: (_, key) => Reflect.get(target(), key),
  });
  return proxy as unknown as Globals[Name];
}

export const afterAll = forward('afterAll');
export const afterEach = forward('afterEach');
export const beforeAll = forward('beforeAll');
export const beforeEach = forward('beforeEach');
export const describe = forward('describe');
export const expect = forward('expect');
export const it = forward('it');
export const jest = forward('jest');
export const test = forward('test');
