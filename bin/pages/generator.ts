/** A command that generates files of this repository from its code, or checks that they are up to date. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readFlags, runCommand } from '../flags.ts';

/** Generators of texts by the paths of their files in the repository. */
export type GeneratedFiles = Readonly<Record<string, () => string | Promise<string>>>;

export interface Generator {
  /** Name of the script in package.json. */
  readonly command: string;
  readonly files: GeneratedFiles;
}

const helpOf = ({ command, files }: Generator) => `Usage: npm run ${command} -- [options]

Writes ${Object.keys(files).join(' and ')}.

  --check   write nothing, and exit with 1 if a file differs from the code
  --help    print this help

Examples:
  npm run ${command}
  npm run ${command} -- --check
`;

const stored = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);

async function generate({ command, files }: Generator, isCheck: boolean): Promise<void> {
  for (const [file, make] of Object.entries(files)) {
    const text = await make();
    if (text === stored(file)) continue;
    if (!isCheck) writeFileSync(file, text);
    else {
      console.error(`${file} differs from the code: run npm run ${command}.`);
      process.exitCode = 1;
    }
  }
}

/** Runs the command with these arguments. */
export function runGenerator(generator: Generator, args: readonly string[]): void {
  const flag = { type: 'boolean', default: false } as const;
  runCommand(async () => {
    const { check, help } = readFlags(generator.command, { check: flag, help: flag }, args);
    if (help) console.log(helpOf(generator));
    else await generate(generator, check);
  });
}
