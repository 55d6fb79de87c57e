import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

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

  it.each(['validate.yml', 'diff.yml', 'deploy.yml', 'production.yml'])(
    'have the workflow %s of this repository',
    (file) => {
      expect(read(`bin/init/files/${file}`)).toBe(read(`.github/workflows/${file}`));
    },
  );
});
