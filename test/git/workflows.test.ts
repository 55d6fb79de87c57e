import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

type Permissions = Readonly<Record<string, 'read' | 'write'>>;

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly if?: string;
  readonly uses?: string;
  readonly needs?: string;
  readonly environment?: string;
  readonly permissions?: Permissions;
  readonly concurrency?: unknown;
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: Permissions;
  readonly jobs: Readonly<Record<string, Job>>;
}

const texts = Object.fromEntries(
  globSync('.github/workflows/*.yml').map((file) => [basename(file, '.yml'), readFileSync(file, 'utf8')]),
);
const named = Object.keys(texts);
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

const workflowOf = (name: string) => parse(texts[name] ?? '') as Workflow;
/** Returns the jobs. A job without its own permissions has those of its workflow. */
const jobsOf = (name: string) => {
  const { permissions = {}, jobs } = workflowOf(name);
  return Object.values(jobs).map((its) => ({ permissions, ...its }));
};
const stepsOf = (name: string) => jobsOf(name).flatMap(({ steps = [] }) => steps);
const used = (name: string) => [...jobsOf(name), ...stepsOf(name)].flatMap(({ uses }) => uses ?? []);
const commandsOf = (name: string) => stepsOf(name).flatMap(({ run }) => run ?? []);

function job(workflow: string, name: string): Job {
  const found = workflowOf(workflow).jobs[name];
  if (!found) throw new Error(`${workflow}.yml has no job ${name}.`);
  return found;
}

/** The expected permissions of each job's token. A job without its own permissions has those of its workflow. */
const granted: Readonly<Record<string, Readonly<Record<string, Permissions>>>> = {
  'base-images': { digests: { contents: 'read' }, propose: { contents: 'write', 'pull-requests': 'write' } },
  check: { check: { contents: 'read' } },
  validate: { validate: { contents: 'read' } },
  deploy: { validate: { contents: 'read' }, deploy: { contents: 'read', 'id-token': 'write' } },
  diff: { diff: { contents: 'read', 'id-token': 'write' }, comment: { 'pull-requests': 'write' } },
  docs: { build: { contents: 'read' }, publish: { pages: 'write', 'id-token': 'write' } },
  release: { prepare: { contents: 'read' }, check: { contents: 'read' }, publish: { contents: 'write' } },
};

const mayWrite = ({ permissions = {} }: Job) => Object.values(permissions).includes('write');
/** `id-token` gives an identity, but writes nothing to GitHub. */
const mayWriteToGitHub = ({ permissions = {} }: Job) =>
  Object.entries(permissions).some(([name, level]) => name !== 'id-token' && level === 'write');
const INSTALL = /\bnpm\s+(?:ci|i|install|add|update)\b|\b(?:yarn|pnpm|bun|pip)\b/;
const RUNS_CODE = /\b(?:npm|npx|node|yarn|pnpm|bun|python3?|make|docker)\b|(?:^|[\s;&|])\.{1,2}\//m;

describe.each(named)('the workflow %s', (name) => {
  it('gives the token of each job only the permissions that the job needs', () => {
    const { permissions, jobs } = workflowOf(name);
    const found = Object.entries(jobs).map(([id, its]) => [id, its.permissions ?? permissions]);
    expect(Object.fromEntries(found)).toEqual(granted[name]);
  });

  it('stores no secrets, because AWS and GitHub issue credentials for each run', () => {
    expect(texts[name]).not.toMatch(/\bsecrets\b/);
    expect(texts[name]).not.toMatch(/aws-(access-key-id|secret-access-key)/);
  });

  it('names each action by its commit, with the version in a comment', () => {
    for (const action of used(name).filter((uses) => !uses.startsWith('./'))) {
      expect(action).toMatch(/^[\w-]+\/[\w/-]+@[0-9a-f]{40}$/);
      expect(texts[name]).toMatch(new RegExp(`${action} # v\\d+\\.\\d+\\.\\d+\\n`));
    }
  });

  it('runs no scripts of packages, in jobs that have an identity or a token that can write', () => {
    for (const { steps = [] } of jobsOf(name).filter(mayWrite))
      for (const { run = '' } of steps)
        for (const line of run.split('\n').filter((each) => INSTALL.test(each)))
          expect(line.trim()).toBe('npm ci --ignore-scripts');
  });

  it('runs none of the code of the repository, in jobs whose token can write to GitHub', () => {
    for (const { steps = [] } of jobsOf(name).filter(mayWriteToGitHub))
      for (const { run = '' } of steps) expect(run).not.toMatch(RUNS_CODE);
  });

  it('leaves no credentials in a checkout', () => {
    const checkouts = stepsOf(name).filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    for (const { with: inputs } of checkouts) expect(inputs).toMatchObject({ 'persist-credentials': false });
  });

  it('calls workflows that exist', () => {
    const calls = used(name).filter((uses) => uses.startsWith('./'));
    for (const path of calls) expect(named).toContain(basename(path, '.yml'));
  });

  it('runs scripts that exist', () => {
    const called = commandsOf(name).flatMap((run) =>
      [...run.matchAll(/npm run (?:--\S+ )*([\w:-]+)/g)].map(([, script]) => script),
    );
    for (const script of called) expect(Object.keys(scripts)).toContain(script);
  });

  it('contains no GitHub expressions in commands, which could run them as code', () => {
    for (const run of commandsOf(name)) expect(run).not.toContain('${{');
  });

  it('limits the time of each job', () => {
    const own = jobsOf(name).filter(({ uses }) => uses === undefined);
    for (const one of own) expect(one).toHaveProperty('timeout-minutes');
  });
});

describe('the check workflow', () => {
  it('runs all checks of the product on each pull request', () => {
    expect(Object.keys(workflowOf('check').on)).toEqual(['pull_request', 'workflow_call']);
    expect(commandsOf('check')).toEqual(['.ci/run']);
  });
});

describe('a deployment', () => {
  it('needs the validation of the declarations, and not the checks of the product', () => {
    expect(commandsOf('validate')).toEqual(['npm ci', 'npm run --silent validate -- -c "environment=$ENVIRONMENT"']);
    expect(job('deploy', 'validate').uses).toBe('./.github/workflows/validate.yml');
    expect(job('deploy', 'deploy').needs).toBe('validate');
    expect(texts.deploy).not.toContain('check.yml');
  });
});

describe('a pull request', () => {
  it('gets no AWS credentials if it comes from a fork', () => {
    const pulled = named.filter((name) => /pull_request/.test(Object.keys(workflowOf(name).on).join()));
    const trusted = pulled.flatMap((name) => jobsOf(name)).filter(({ permissions = {} }) => 'id-token' in permissions);
    expect(trusted).toHaveLength(1);
    for (const { if: condition = '' } of trusted)
      expect(condition).toMatch(/^github\.event\.pull_request\.head\.repo\.full_name == github\.repository && /);
    expect(pulled.flatMap((name) => Object.keys(workflowOf(name).on))).not.toContain('pull_request_target');
  });

  it('is compared by its templates only, with a role that cannot deploy', () => {
    const { steps = [] } = job('diff', 'diff');
    expect(steps.map(({ run = '' }) => run).join('\n')).toContain('npx cdk diff --method=template ');
    expect(texts.diff).toContain('vars.AWS_DIFF_ROLE_ARN');
    expect(texts.diff).not.toContain('AWS_DEPLOY_ROLE_ARN');
  });

  it('does not run its code in the job that writes the comment', () => {
    const { steps = [], needs } = job('diff', 'comment');
    expect(needs).toBe('diff');
    expect(steps.map(({ uses }) => uses)).toEqual([undefined]);
    expect(steps[0]?.run).not.toMatch(/\b(npm|npx|node|git)\b/);
  });
});

describe('the comment on a pull request', () => {
  const backticks = '`'.repeat(4);

  it.each([
    ['a fence', `+ a\n${backticks}\n# Approved by the owner\n${backticks}${backticks}\n~~~\n</pre>`],
    ['a carriage return', '+ a\r# Approved by the owner'],
    ['blank lines', '+ a\n\n\n# Approved by the owner'],
    ['more than a comment can contain', '+ a\n'.repeat(30_000)],
  ])('shows the whole diff as code, even if the diff contains %s', (_, text) => {
    const folder = mkdtempSync(join(tmpdir(), 'comment-'));
    writeFileSync(join(folder, 'gh'), '#!/bin/sh\n', { mode: 0o755 });
    const env = { PATH: `${folder}:${process.env.PATH}`, TEXT: text, NUMBER: '1', GITHUB_REPOSITORY: 'a/b' };
    const { run = '' } = job('diff', 'comment').steps?.[0] ?? {};
    execFileSync('bash', ['-eo', 'pipefail', '-c', run], { cwd: folder, env, stdio: 'ignore' });
    const comment = readFileSync(join(folder, 'comment.md'), 'utf8');
    expect(comment.length).toBeLessThan(65_536);
    expect(comment).not.toContain('\r');
    const [title, blank, ...lines] = comment.replace(/\n$/, '').split('\n');
    expect([title, blank]).toEqual(['What this pull request changes in the deployed stacks:', '']);
    for (const line of lines) expect(line).toMatch(/^ {0,3}$|^ {4}/);
    expect(lines.length).toBeGreaterThan(0);
  });
});

describe('a deployment', () => {
  const { steps = [], ...deploy } = job('deploy', 'deploy');

  it('starts from main, in the environment whose rules require approval', () => {
    expect(Object.keys(workflowOf('deploy').on)).toEqual(['push', 'workflow_dispatch']);
    expect(workflowOf('deploy').on.push).toEqual({ branches: ['main'] });
    expect(deploy.if).toMatch(/^github\.ref == 'refs\/heads\/main' && /);
    expect(deploy.environment).toBe('production');
  });

  it('waits for the previous deployment and does not cancel it', () => {
    expect(deploy.concurrency).toEqual({ group: 'deploy', 'cancel-in-progress': false });
  });

  it('examines the account before it changes anything', () => {
    const commands = steps.map(({ run, uses }) => run ?? uses?.replace(/@.*/, '')).slice(1);
    expect(commands).toEqual([
      'actions/checkout',
      'npm ci --ignore-scripts',
      'aws-actions/configure-aws-credentials',
      'npm run --silent doctor -- -c "environment=$ENVIRONMENT"',
      'npx cdk deploy --all --require-approval never -c "environment=$ENVIRONMENT"',
    ]);
  });

  it('refuses a commit that is no longer the newest', () => {
    expect(steps[0]?.name).toBe('Refuse a commit that is no longer the newest');
    expect(steps[0]?.run).toContain('if [ "$newest" != "$GITHUB_SHA" ]; then');
    expect(steps[0]?.run).toContain('exit 1');
  });
});

describe('the documentation site', () => {
  it('is built and checked on each pull request', () => {
    const checks = readFileSync('.ci/run', 'utf8');
    expect(checks).toMatch(/^step npm run --silent docs:build\nstep npm run --silent docs:check$/m);
  });

  it('is published only from main, after it is built and checked', () => {
    expect(workflowOf('docs').on).toEqual({ push: { branches: ['main'] }, workflow_dispatch: null });
    expect(job('docs', 'build').if).toMatch(/^github\.ref == 'refs\/heads\/main' && /);
    expect(job('docs', 'publish').needs).toBe('build');
    const steps = stepsOf('docs').map(({ run, uses }) => run ?? uses?.replace(/@.*/, ''));
    expect(steps).toEqual([
      'actions/checkout',
      'npm ci --ignore-scripts',
      'npm run --silent docs:build',
      'npm run --silent docs:check',
      'actions/upload-pages-artifact',
      'actions/deploy-pages',
    ]);
  });

  it('is published by a job that runs none of its code', () => {
    expect(job('docs', 'publish').steps?.map(({ run }) => run)).toEqual([undefined]);
  });
});

describe('a release', () => {
  const commandsIn = (name: string) => (job('release', name).steps ?? []).map(({ run, uses }) => run ?? uses);

  it('starts from a tag, refuses a tag outside of main, and is published after all checks', () => {
    expect(workflowOf('release').on).toEqual({ push: { tags: ['v*'] } });
    expect(commandsIn('prepare')[1]).toContain('git merge-base --is-ancestor "$GITHUB_SHA" origin/main');
    expect(job('release', 'check').needs).toBe('prepare');
    expect(job('release', 'check').uses).toBe('./.github/workflows/check.yml');
    expect(job('release', 'publish').needs).toBe('check');
  });

  it('has the section of the changelog as its notes, and the bill of materials as its file', () => {
    expect(commandsIn('prepare')).toEqual(
      expect.arrayContaining([
        'npm run --silent sbom',
        'npm run --silent release:notes -- "$GITHUB_REF_NAME" > dist/notes.md',
      ]),
    );
    expect(commandsIn('publish').at(-1)).toContain('--notes-file notes.md sbom.cdx.json');
  });

  it('is published by a job that runs none of its code', () => {
    const [download, create, ...others] = job('release', 'publish').steps ?? [];
    expect(others).toEqual([]);
    expect(download?.uses).toMatch(/^actions\/download-artifact@/);
    expect(create?.run).toMatch(/^gh release create /);
    expect(create?.run).not.toMatch(/\b(npm|npx|node|git)\b/);
  });
});
