import { describe, expect, it } from '@jest/globals';
import { type Step, stepsOf } from './page.ts';

const FENCE = '```';
const block = (language: string, ...lines: string[]) => [FENCE + language, ...lines, FENCE, ''].join('\n');
const page = (...parts: string[]) => parts.join('\n');
const has = (...steps: Partial<Step>[]) => steps.map((step) => expect.objectContaining(step));

describe('the steps of a page', () => {
  it('type commands in the named terminal, or else in that of the previous command', () => {
    const steps = stepsOf(page(block('sh', 'a'), block('sh', '# terminal 2', 'b'), block('sh', 'c')));
    expect(steps.map((step) => [step.does, 'terminal' in step && step.terminal])).toEqual([
      ['type', 1],
      ['type', 2],
      ['type', 2],
    ]);
  });

  it('show output of the last command, or of the terminal that the paragraph before names', () => {
    const steps = stepsOf(
      page(
        block('sh', '# terminal 1', 'a'),
        block('sh', '# terminal 2', 'b'),
        block('json', '{}'),
        'Now\nterminal\n1 prints:',
        '',
        block('text', 'A'),
      ),
    );
    expect(steps.slice(2)).toEqual(
      has({ does: 'see', terminal: 2, text: '{}\n' }, { does: 'see', terminal: 1, text: 'A\n' }),
    );
  });

  it('save files whose first line is a comment with a path, in every language', () => {
    const steps = stepsOf(
      page(
        block('python', '# a/b.py', 'x'),
        block('js', '// w.mjs'),
        block('yaml', '# .x/y.yaml'),
        block('dockerfile', '# a/Dockerfile'),
        block('sh', '# run.sh'),
      ),
    );
    expect(steps).toEqual(
      has(
        { does: 'save', path: 'a/b.py', text: '# a/b.py\nx\n' },
        { does: 'save', path: 'w.mjs' },
        { does: 'save', path: '.x/y.yaml' },
        { does: 'save', path: 'a/Dockerfile' },
        { does: 'save', path: 'run.sh' },
      ),
    );
  });

  it('press Ctrl-C where the text says so, and until then the last command of the terminal runs', () => {
    const steps = stepsOf(
      page(
        block('sh', 'a'),
        block('sh', '# terminal 2', 'b'),
        block('sh', '# terminal 1', 'c'),
        'Press\nCtrl-C in terminal 2. Press Ctrl-C in terminal 1.',
      ),
    );
    expect(steps).toEqual(
      has(
        { does: 'type', terminal: 1, goesOn: false },
        { does: 'type', terminal: 2, goesOn: true },
        { does: 'type', terminal: 1, goesOn: true },
        { does: 'interrupt', terminal: 2 },
        { does: 'interrupt', terminal: 1 },
      ),
    );
  });

  it('have the lines of the page, and no indent of a list', () => {
    const steps = stepsOf(
      page('# Title', '', '1. Do:', '', '   ```sh', '   for x in 1; do', '     echo', '   done', '   ```'),
    );
    expect(steps).toEqual(has({ does: 'type', line: 6, text: 'for x in 1; do\n  echo\ndone\n' }));
  });

  it('include blocks that nothing runs', () => {
    expect(stepsOf(block('python', 'print(1)'))).toEqual(has({ does: 'show', language: 'python' }));
    expect(() => stepsOf(block('text', 'output'))).toThrow('Line 2 shows output, but no command is before it.');
  });
});
