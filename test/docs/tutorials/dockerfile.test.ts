import { describe, expect, it } from '@jest/globals';
import { problemsOf } from './dockerfile.ts';

const file = (...lines: string[]) => `${lines.join('\n')}\n`;

describe('a Dockerfile', () => {
  it('is accepted if all its sources and stages exist', () => {
    const good = file(
      '# a comment',
      'FROM a AS build',
      'COPY package.json core ./',
      'RUN a \\',
      '  --b',
      'FROM b',
      'COPY --from=build /a .',
      'CMD ["a", "b"]',
    );
    expect(problemsOf(good, '.')).toEqual([]);
  });

  it.each([
    [['COPY core .', 'CMD ["a"]'], '`COPY core .` is before FROM'],
    [['FROM a', 'COPY no-such-file .', 'CMD ["a"]'], '`COPY no-such-file .` copies no-such-file, which does not exist'],
    [
      ['FROM a', 'COPY --from=build a .', 'CMD ["a"]'],
      '`COPY --from=build a .` copies from the stage build, which does not exist',
    ],
    [['FROM a', 'INSTALL b', 'CMD ["a"]'], '`INSTALL b` is not an instruction'],
    [['FROM a', "CMD ['a']"], "`CMD ['a']` is not a JSON array"],
    [['FROM a'], 'no command'],
  ])('is refused: %j', (lines, problem) => {
    expect(problemsOf(file(...lines), '.')).toEqual([problem]);
  });
});
