import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { initFiles } from '../../bin/init/files.ts';
import { FILES } from '../../bin/package/files.ts';
import { packageFolder } from '../../lib/settings/package-files.ts';

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}
const read = (file: string) => readFileSync(file, 'utf8');
const manifest = (file: string) => JSON.parse(read(file)) as Manifest;

describe('the files that `gpu-endpoints init` writes', () => {
  it('name the versions with which this repository is tested', () => {
    const tested = manifest('package.json').devDependencies;
    const { dependencies, devDependencies } = manifest('bin/init/files/manifest.json');
    const named = { ...dependencies, ...devDependencies };
    expect(named).toEqual(Object.fromEntries(Object.keys(named).map((name) => [name, tested[name]])));
  });

  it('name pages of the documentation that the package contains', () => {
    const packed = globSync(FILES, { cwd: packageFolder });
    const named = initFiles('/none', 'team').flatMap(({ path, content }) =>
      [...content.matchAll(/\S*docs\/[\w/-]+\.md/g)].map(([page]) => [path, page] as const),
    );
    expect(named.length).toBeGreaterThan(3);
    for (const [path, page] of named) {
      const [, file = ''] = /^node_modules\/gpu-endpoints\/(.*)$/.exec(page) ?? [];
      expect([path, page, packed.includes(file)]).toEqual([path, page, true]);
    }
  });

  it.each(['validate.yml', 'diff.yml', 'deploy.yml', 'production.yml'])(
    'have the workflow %s of this repository',
    (file) => {
      expect(read(`bin/init/files/${file}`)).toBe(read(`.github/workflows/${file}`));
    },
  );
});
