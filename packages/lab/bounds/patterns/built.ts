/**
 * The patterns that the product builds at run time. Each builder is called with an example, while `RegExp` records
 * what it gets, so the list contains no copies of patterns.
 */
import { pathToFileURL } from 'node:url';
import type { Pattern } from './find.ts';

/** Evaluates a module again, because it builds its patterns only once, and another import might have evaluated it. */
const importAgain = (file: string): Promise<unknown> => import(`${pathToFileURL(file).href}?recorded`);

/** Builders by file. Each imports the file, because some patterns are built by the import. */
const builders: Readonly<Record<string, () => Promise<unknown>>> = {
  'packages/console/api/field-errors.ts': async () => {
    const { errorsIn } = await import('../../../console/api/field-errors.ts');
    errorsIn('`name` must be a text, got 1.', ['name', 'ports']);
  },
  'bin/verify/described.ts': async () => {
    const { createDescribed } = await import('../../../../bin/verify/described.ts');
    createDescribed('jobs');
    createDescribed('management');
  },
  'core/keys/client-keys.ts': () => importAgain('core/keys/client-keys.ts'),
  'ingress/paths.ts': async () => {
    const { beginnings, createPaths } = await import('../../../../ingress/paths.ts');
    for (const beginning of Object.values(beginnings))
      createPaths(['run', 'runsync', 'status-sync', 'stream', 'openai'], beginning);
  },
  'packages/emulator/cloud.ts': () => importAgain('packages/emulator/cloud.ts'),
  'packages/emulator/distribution/path-pattern.ts': async () => {
    const { patternOf } = await import('../../../emulator/distribution/path-pattern.ts');
    patternOf('/v2/*/openai/*');
  },
  'bin/execution-policy/policies.ts': async () => {
    const { covers } = await import('../../../../bin/execution-policy/policies.ts');
    covers('s3:*eBucketMetadata*TableConfiguration', 's3:CreateBucketMetadataTableConfiguration');
  },
  'packages/emulator/iam/statement.ts': () => importAgain('packages/emulator/iam/statement.ts'),
  'packages/emulator/iam/wildcard.ts': async () => {
    const { arnWildcard, wildcard } = await import('../../../emulator/iam/wildcard.ts');
    wildcard('jobs/*/input/*');
    arnWildcard('arn:aws:ecs:*:*:task/*/*');
  },
};

/** Files whose patterns are built by `builtPatterns`. */
export const builderFiles: readonly string[] = Object.keys(builders);

/** Returns the patterns that `build` passes to `RegExp`. */
export async function recorded(build: () => Promise<unknown>): Promise<Omit<Pattern, 'file'>[]> {
  const patterns: Omit<Pattern, 'file'>[] = [];
  const original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(original, {
    construct(target, [source, flags = '']: [string | RegExp, string?], newTarget) {
      if (typeof source === 'string') patterns.push({ source, flags });
      return Reflect.construct(target, [source, flags], newTarget);
    },
  });
  try {
    await build();
  } finally {
    globalThis.RegExp = original;
  }
  return patterns;
}

export async function builtPatterns(): Promise<Pattern[]> {
  const built: Pattern[] = [];
  for (const [file, build] of Object.entries(builders)) {
    const patterns = await recorded(build);
    if (patterns.length === 0)
      throw new Error(`${file} built no pattern: correct its example in packages/lab/bounds/patterns/built.ts.`);
    built.push(...patterns.map((pattern) => ({ file, ...pattern })));
  }
  return built;
}
