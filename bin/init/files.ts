/** The files of a team's repository. Declarations, examples and workflows are those of this package. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../lib/settings/package-files.ts';

export interface InitFile {
  /** Path in the repository of the team. */
  readonly path: string;
  readonly content: string;
  /** Whether the content contains that of the present file. */
  readonly keeps?: boolean;
}

interface Manifest {
  readonly version?: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** Files that are copied as they are, with their paths. */
const COPIED = ['images.yaml', '{endpoints,capacity,templates,environments}/**/*.yaml', 'examples/{echo,http}/*'];

/** Files with a content of their own, below the folder `files`. npm would rename or omit files such as `.gitignore`. */
const OWN = {
  'app.ts': 'bin/app.ts',
  'README.md': 'README.md',
  gitignore: '.gitignore',
  CODEOWNERS: '.github/CODEOWNERS',
  'renovate.json': 'renovate.json',
  'tsconfig.json': 'tsconfig.json',
  'validate.yml': '.github/workflows/validate.yml',
  'diff.yml': '.github/workflows/diff.yml',
  'deploy.yml': '.github/workflows/deploy.yml',
  'production.yml': '.github/workflows/production.yml',
} as const;

const textOf = (path: string) => readFileSync(join(packageFolder, path), 'utf8');

/** A page of the documentation in a comment of a file that is copied. */
const PAGE = /(?<![\w/.])docs\/(?=guides\/|reference\/)/g;

/** Returns the text of a file that is copied, which names pages where the package has them. */
const copyOf = (path: string) => textOf(path).replaceAll(PAGE, 'node_modules/gpu-endpoints/docs/');
const manifestIn = (folder: string): Manifest => {
  const file = join(folder, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : {};
};
const jsonOf = (value: object) => `${JSON.stringify(value, undefined, 2)}\n`;

/** Returns the package.json, with all that the folder's own has already, such as the version that is installed. */
function manifest(folder: string, name: string): string {
  const present = manifestIn(folder);
  const { version = '' } = manifestIn(packageFolder);
  const own = JSON.parse(textOf('bin/init/files/manifest.json')) as Manifest;
  return jsonOf({
    name,
    private: true,
    type: 'module',
    ...present,
    scripts: { ...own.scripts, ...present.scripts },
    dependencies: { 'gpu-endpoints': version, ...own.dependencies, ...present.dependencies },
    devDependencies: { ...own.devDependencies, ...present.devDependencies },
  });
}

/** @param folder folder of the repository, which can have a package.json */
export function initFiles(folder: string, name: string): readonly InitFile[] {
  const { context } = JSON.parse(textOf('cdk.json')) as { readonly context: object };
  const copied = globSync(COPIED, { cwd: packageFolder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(packageFolder.length + 1));
  return [
    { path: 'package.json', content: manifest(folder, name), keeps: true },
    { path: 'cdk.json', content: jsonOf({ app: 'node bin/app.ts', versionReporting: false, context }) },
    ...Object.entries(OWN).map(([file, path]) => ({ path, content: copyOf(`bin/init/files/${file}`) })),
    ...copied.map((path) => ({ path, content: copyOf(path) })),
  ];
}
