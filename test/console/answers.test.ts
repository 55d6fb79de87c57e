/** Checks that the responses in the screens' states match the service's OpenAPI descriptions. */
import { describe, expect, it } from '@jest/globals';
import { createDescribed } from '../../bin/verify/described.ts';
import { states } from '../../packages/console/test/screens/all.ts';
import {
  type Answer,
  type Answers,
  held,
  type Reply,
  unreachable,
} from '../../packages/console/test/screens/screen.ts';

const described = { '/v1': createDescribed('management'), '/v2': createDescribed('jobs') };

/** A stream of events is no JSON, and its events are the worker's. */
const isAnswer = (reply: Reply): reply is Answer =>
  reply !== held && reply !== unreachable && !reply.headers?.['content-type']?.startsWith('text/event-stream');

function repliesOf(answer: Answers[string], path: string): Answer[] {
  // Functions read only the query parameters. Without parameters they return everything.
  const replies = typeof answer === 'function' ? answer(new URL(path, 'http://localhost')) : answer;
  return [replies].flat().filter(isAnswer);
}

/** Path segment with any value. */
const ANY = 'any';

function wrongIn(answers: Answers): string[] {
  return Object.entries(answers).flatMap(([call, answer]) => {
    const [method = '', path = ''] = call.replaceAll('*', ANY).split(' ');
    const [base, check] = Object.entries(described).find(([start]) => path.startsWith(start)) ?? ['', undefined];
    if (!check) return [`${call} is not an operation of the interfaces`];
    return repliesOf(answer, path).flatMap(({ status, text }) =>
      check({ method, path: path.slice(base.length), status, json: JSON.parse(text) }),
    );
  });
}

describe('the responses of a state', () => {
  it.each(states)('match the OpenAPI descriptions: $name', ({ answers = {} }) => {
    expect(wrongIn(answers)).toEqual([]);
  });
});
