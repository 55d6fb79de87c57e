/** `gpu-endpoints init`: writes the repository of a team. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type Ask, agrees, NOT_CONFIRMED } from '../terminal.ts';
import { type InitFile, initFiles } from './files.ts';

export interface InitOptions {
  /** Whether files are overwritten without a question. */
  readonly force?: boolean;
}

/** Returns the files that exist with another content. */
const conflictsIn = (folder: string, files: readonly InitFile[]) =>
  files.filter(({ path, content, keeps }) => {
    const file = join(folder, path);
    return !keeps && existsSync(file) && readFileSync(file, 'utf8') !== content;
  });

/** Asks whether files may be overwritten. Without a terminal, they may not. */
async function mayOverwrite(files: readonly InitFile[], ask: Ask | undefined): Promise<boolean> {
  console.error(`These files exist with another content:\n${files.map(({ path }) => `  ${path}`).join('\n')}`);
  const isAgreed = await agrees(ask, 'overwrite them');
  if (!isAgreed) console.error('Nothing is written. Use --force to overwrite them.');
  return isAgreed;
}

/**
 * Writes the files of a team's repository. Sets the exit code to 2 and writes nothing if files would be overwritten, and
 * the user does not agree.
 * @param to folder, which is created if it does not exist
 * @param ask undefined without a terminal
 */
export async function init(to: string, { force = false }: InitOptions, ask: Ask | undefined): Promise<void> {
  const folder = resolve(to);
  const files = initFiles(folder, basename(folder));
  const conflicts = conflictsIn(folder, files);
  if (conflicts.length > 0 && !force && !(await mayOverwrite(conflicts, ask))) {
    process.exitCode = NOT_CONFIRMED;
    return;
  }
  for (const { path, content } of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  console.log(
    [
      `Wrote ${files.length} files. Next:`,
      '',
      ...(folder === process.cwd() ? [] : [`  cd ${to}`]),
      '  npm install',
      '  npx gpu-endpoints dev        run everything on this machine',
      '  npx gpu-endpoints validate   check what a deployment would create',
      '  npx gpu-endpoints deploy     deploy to your AWS account',
    ].join('\n'),
  );
}
