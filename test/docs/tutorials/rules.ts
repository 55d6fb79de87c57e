/** The commands of tutorials that the test does not run as they are, each with the reason. */
import { pythonWith } from '../../acceptance/workers/python.ts';

export interface Rule {
  readonly because: string;
  /** Matches one command. */
  readonly command: RegExp;
  /** Returns the command that is typed instead; undefined for none. */
  replacement(match: RegExpExecArray): Promise<string | undefined>;
}

const NAME_AND_VERSION = /^([\w-]+)==([\w.]+)$/;

function pinned(requirement: string): readonly [string, string] {
  const [, name, version] = NAME_AND_VERSION.exec(requirement) ?? [];
  if (!name || !version) throw new Error(`\`pip install ${requirement}\` must name a version, as in NAME==1.2.3.`);
  return [name, version];
}

export const rules: readonly Rule[] = [
  {
    because: 'the copy of the repository uses the packages that are installed',
    command: /^npm ci$/,
    replacement: async () => undefined,
  },
  {
    because: 'the next rule links an environment to this path',
    command: /^python3 -m venv \S+$/,
    replacement: async () => undefined,
  },
  {
    because: 'the same packages are installed once for all tests, because that takes up to a minute',
    command: /^(\S+)\/bin\/pip install (?:--quiet )?(\S+)((?: \S+)*)$/,
    async replacement([, folder = '', first = '', more = '']) {
      const python = await pythonWith(...pinned(first), more.split(' ').filter(Boolean));
      return `ln -s ${python.replace('/bin/python', '')} ${folder}`;
    },
  },
];

async function replaced(command: string): Promise<string | undefined> {
  for (const { command: pattern, replacement } of rules) {
    const match = pattern.exec(command);
    if (match) return replacement(match);
  }
  return command;
}

/**
 * Applies the rules to each command of a line.
 * @returns undefined if nothing is left to type
 */
export async function afterRules(line: string): Promise<string | undefined> {
  const parts = await Promise.all(line.split(' && ').map(replaced));
  const left = parts.filter((part) => part !== undefined);
  return left.length > 0 ? left.join(' && ') : undefined;
}
