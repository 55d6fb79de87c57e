/** The answers of the screens' states are possible answers of the service, by its OpenAPI descriptions. */
import { describe, expect, it } from '@jest/globals';
import { createDescribed } from '../../contract/described.ts';
import { states } from './all.ts';
import { type Answer, type Answers, held, type Reply, unreachable } from './screen.ts';

const described = { '/v1': createDescribed('management'), '/v2': createDescribed('jobs') };

const isAnswer = (reply: Reply): reply is Answer => reply !== held && reply !== unreachable;

function repliesOf(answer: Answers[string], path: string): Answer[] {
  // Functions look at the parameters alone; without any they answer all that they have.
  const replies = typeof answer === 'function' ? answer(new URL(path, 'http://localhost')) : answer;
  return [replies].flat().filter(isAnswer);
}

/** A part of a path that may be anything. */
const ANY = 'any';

function wrongIn(answers: Answers): string[] {
  return Object.entries(answers).flatMap(([call, answer]) => {
    const [method = '', path = ''] = call.replaceAll('*', ANY).split(' ');
    const [base, check] = Object.entries(described).find(([start]) => path.startsWith(start)) ?? ['', undefined];
    if (!check) return [`${call} is no call of the interfaces`];
    return repliesOf(answer, path).flatMap(({ status, text }) =>
      check({ method, path: path.slice(base.length), status, json: JSON.parse(text) }),
    );
  });
}

describe('a state of a screen', () => {
  it.each(states)('answers as the service could: $name', ({ answers = {} }) => {
    expect(wrongIn(answers)).toEqual([]);
  });
});
