/** Checks a Dockerfile without building it, because a build needs Docker. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const INSTRUCTION = /^(ARG|CMD|COPY|ENTRYPOINT|ENV|EXPOSE|FROM|RUN|USER|WORKDIR) +(.+)$/;

const isJsonArray = (text: string) => {
  try {
    return Array.isArray(JSON.parse(text));
  } catch {
    return false;
  }
};

/**
 * Returns what is wrong with the file.
 * @param context folder of the build context, whose files `COPY` needs
 */
export function problemsOf(dockerfile: string, context: string): string[] {
  const lines = dockerfile
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages = new Set<string>();
  const problems: string[] = [];

  function check(instruction: string, rest: string): string | undefined {
    if (instruction === 'FROM') {
      const [, stage] = / AS (\S+)$/.exec(rest) ?? [];
      if (stage) stages.add(stage);
    }
    if (instruction === 'CMD' || instruction === 'ENTRYPOINT')
      return isJsonArray(rest) ? undefined : 'is not a JSON array';
    if (instruction !== 'COPY') return undefined;
    const [, stage] = /^--from=(\S+)/.exec(rest) ?? [];
    if (stage) return stages.has(stage) ? undefined : `copies from the stage ${stage}, which does not exist`;
    const missing = rest
      .split(' ')
      .slice(0, -1)
      .filter((source) => !existsSync(join(context, source)));
    return missing.length > 0 ? `copies ${missing.join(' and ')}, which does not exist` : undefined;
  }

  for (const [n, line] of lines.entries()) {
    const [, instruction = '', rest = ''] = INSTRUCTION.exec(line) ?? [];
    if (!instruction) problems.push(`\`${line}\` is not an instruction`);
    else if (n === 0 && instruction !== 'FROM') problems.push(`\`${line}\` is before FROM`);
    const problem = check(instruction, rest);
    if (problem) problems.push(`\`${line}\` ${problem}`);
  }
  if (!lines.some((line) => /^(?:CMD|ENTRYPOINT) /.test(line))) problems.push('no command');
  return problems;
}
