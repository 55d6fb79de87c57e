/** Breaks of what requests are held against before a job is stored, and of how they are refused. */
import type { Mutant } from './mutant.ts';

const OVERLOAD = 'test/jobs/overload.test.ts';
const HTTP = 'test/lambda/http.test.ts';

export const requestMutants: readonly Mutant[] = [
  {
    name: 'a full queue is full one job earlier',
    file: 'core/jobs/overload.ts',
    replace: 'counts.inQueue > most',
    by: 'counts.inQueue >= most',
    test: OVERLOAD,
    named: 'takes a job while',
  },
  {
    name: 'a full queue does not say when to ask again',
    file: 'lambda/http.ts',
    replace: "retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }",
    by: '{}',
    test: HTTP,
    named: 'when to ask again',
  },
];
