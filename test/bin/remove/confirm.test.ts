import { describe, expect, it } from '@jest/globals';
import { confirmed } from '../../../bin/remove/confirm.ts';
import type { OwnStack, Target } from '../../../bin/remove/facts.ts';

const storage: OwnStack = {
  stack: 'Storage',
  id: 'arn',
  name: 'prod-Storage',
  description: '',
  status: 'CREATE_COMPLETE',
  isProtected: true,
  outputs: {},
};
const WHOLE: Target = { of: 'deployment', withStorage: false };

/**
 * Answers the questions.
 * @returns the result and the questions
 */
async function answering(target: Target, answers: readonly string[], stacks: readonly OwnStack[] = [storage]) {
  const questions: string[] = [];
  const ask = async (question: string) => {
    questions.push(question.trim());
    return answers[questions.length - 1] ?? '';
  };
  return { agreed: await confirmed({ stacks, deployment: 'prod' }, target, ask), questions };
}

describe('a removal', () => {
  it('begins only if the user types yes', async () => {
    for (const answer of ['', 'y', 'no', 'prod'])
      expect((await answering({ of: 'endpoint', name: 'echo' }, [answer])).agreed).toBeUndefined();
    const { agreed, questions } = await answering({ of: 'endpoint', name: 'echo' }, ['yes']);
    expect(agreed).toEqual({ of: 'endpoint', name: 'echo' });
    expect(questions).toEqual(['Type yes to begin:']);
  });

  it('does not begin without a terminal', async () => {
    expect(await confirmed({ stacks: [storage], deployment: 'prod' }, WHOLE, undefined)).toBeUndefined();
  });

  it('deletes Storage only if the user types the name of the deployment', async () => {
    for (const answer of ['', 'yes', 'Prod'])
      expect((await answering(WHOLE, ['yes', answer])).agreed).toEqual({ of: 'deployment', withStorage: false });
    const { agreed, questions } = await answering(WHOLE, ['yes', 'prod']);
    expect(agreed).toEqual({ of: 'deployment', withStorage: true });
    expect(questions[1]).toBe('Type prod to delete its stack Storage too, or press Enter to keep it:');
  });

  it('does not ask about Storage if its stack is gone, or if the option has named the deployment', async () => {
    expect((await answering(WHOLE, ['yes'], [])).questions).toHaveLength(1);
    expect((await answering({ of: 'deployment', withStorage: true }, ['yes'])).questions).toHaveLength(1);
  });
});
