/**
 * Generates clients from the OpenAPI documents, as client developers do, and runs a job with each of them against
 * `npm start`. Linters of OpenAPI check the documents. Each generator has a folder in `generated-clients/` with its
 * lock file and with a program that uses the generated code.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MINUTE } from '../../core/limits.ts';
import { readDeclarations } from '../../lib/endpoints/declaration.ts';
import { assemblyWith } from './added-endpoints.ts';
import { installedFrom } from './clients/packages.ts';
import { type LocalService, newStateDir, startService, stopService } from './local-service.ts';
import { withPython } from './workers/kinds-here.ts';
import { pythonWithAll } from './workers/python.ts';

const FOLDER = resolve('test/acceptance/generated-clients');
const DOCUMENTS = resolve('docs/reference/openapi');
const FILES = ['jobs.json', 'management.json'].map((file) => join(DOCUMENTS, file));
const LIMIT = 5 * MINUTE;

const stateDir = newStateDir();
let service: LocalService | undefined;

beforeAll(async () => {
  const assembly = join(stateDir, 'changed-assembly');
  await assemblyWith(assembly, readDeclarations(resolve('test/acceptance/clients')));
  service = await startService(stateDir, {
    args: ['--assembly', assembly],
    env: { LOCAL_IMAGES: resolve('test/acceptance/clients/images.yaml') },
  });
}, LIMIT);

afterAll(async () => {
  if (service) await stopService(service);
});

/**
 * Runs a program in a folder.
 * @returns what it printed
 * @throws Error with its output if it fails
 */
async function printed(folder: string, program: string, ...args: string[]): Promise<string> {
  const env = {
    ...process.env,
    DOCUMENTS,
    API_KEY: service?.ApiKey,
    JOB_API_URL: service?.JobApiUrl,
    MANAGEMENT_API_URL: service?.ManagementApiUrl,
  };
  try {
    return (await promisify(execFile)(program, args, { cwd: folder, env })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}

/**
 * Copies the folder of a generator to an empty folder, with its packages.
 * @returns the new folder
 */
async function projectOf(name: string): Promise<string> {
  const packages = await installedFrom(join(FOLDER, name));
  const project = join(stateDir, name);
  cpSync(join(FOLDER, name), project, { recursive: true });
  symlinkSync(join(packages, 'node_modules'), join(project, 'node_modules'));
  return project;
}

const command = (project: string, name: string) => join(project, 'node_modules/.bin', name);

const resultIn = (text: string) => JSON.parse(text.trim().split('\n').at(-1) ?? '') as unknown;

/** Compiles the program of a strict project, and runs it. */
async function compileAndRun(project: string): Promise<unknown> {
  const language = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable'];
  await printed(project, command(project, 'tsc'), ...language, '--types', 'node', '--skipLibCheck', 'client.ts');
  return resultIn(await printed(project, process.execPath, 'client.js'));
}

const EXPECTED = {
  job: { text: 'hello', list: [1, null, { deep: true }], number: 1.5 },
  refused: [404, 'JOB_NOT_FOUND'],
  templates: true,
};

describe('a generated client compiles and runs a job', () => {
  it(
    'made by openapi-typescript',
    async () => {
      const project = await projectOf('openapi-typescript');
      for (const name of ['jobs', 'management'])
        await printed(
          project,
          command(project, 'openapi-typescript'),
          join(DOCUMENTS, `${name}.json`),
          '-o',
          `${name}.ts`,
        );
      expect(await compileAndRun(project)).toEqual(EXPECTED);
    },
    LIMIT,
  );

  it(
    'made by orval',
    async () => {
      const project = await projectOf('orval');
      await printed(project, command(project, 'orval'), '--config', 'orval.config.mjs');
      expect(await compileAndRun(project)).toEqual(EXPECTED);
    },
    LIMIT,
  );

  if (withPython)
    it(
      'made by openapi-python-client',
      async () => {
        const source = join(FOLDER, 'openapi-python-client');
        const python = await pythonWithAll(join(source, 'requirements.txt'));
        const project = join(stateDir, 'openapi-python-client');
        mkdirSync(project);
        for (const name of ['jobs', 'management']) {
          const options = ['--path', join(DOCUMENTS, `${name}.json`), '--output-path', name, '--meta', 'none'];
          await printed(project, python, '-m', 'openapi_python_client', 'generate', ...options);
          // Syntax errors in modules that the program does not import would not be found otherwise.
          await printed(project, python, '-m', 'compileall', '-q', name);
        }
        cpSync(join(source, 'client.py'), join(project, 'client.py'));
        expect(resultIn(await printed(project, python, 'client.py'))).toEqual(EXPECTED);
      },
      LIMIT,
    );
});

it('says that Python clients are not tested if Python is missing', () => {
  if (!withPython) console.log('openapi-python-client is not tested: Python with virtual environments is missing.');
});

describe('the linters of OpenAPI report no error and no warning', () => {
  it.each([
    ['Spectral', 'spectral', ['--fail-severity', 'warn']],
    ['Redocly', 'redocly', ['--max-problems', '1000']],
  ])(
    'which are %s',
    async (_, name, options) => {
      const project = await lintProject();
      const report = await printed(project, command(project, name), 'lint', ...options, ...FILES);
      expect(report).not.toMatch(/\bwarning\b(?!.*\b0 warnings\b)/i);
    },
    LIMIT,
  );
});

let made: Promise<string> | undefined;
/** Returns the folder with both linters, which is created once. */
function lintProject(): Promise<string> {
  made ??= projectOf('lint');
  return made;
}
