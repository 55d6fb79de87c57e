import { describe, expect, it } from '@jest/globals';
import { threadName } from '../../functions/function-thread.ts';

describe('the name of a thread', () => {
  it.each([
    ['Platform-JobsRun0ED8C973', 'JobsRun'],
    ['Platform-AuthorizerAuthorize807D77DA', 'Authorize'],
    ['Platform-ManagementTemplatesCreateCCFCA9E6', 'TemplatesCreate'],
    ['Platform-ManagementTemplatesList8D7D5761', 'TemplatesList'],
    ['my-abcdefghijklmnopqrst', 'fghijklmnopqrst'],
    ['echo', 'echo'],
  ])('of the function %s is %s', (name, short) => {
    expect(threadName(name)).toBe(short);
  });
});
