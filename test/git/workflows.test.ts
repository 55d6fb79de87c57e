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
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Workflow {
  readonly on: {
    readonly push?: unknown;
    readonly pull_request?: null;
    readonly workflow_call?: { readonly inputs: Readonly<Record<string, { readonly required?: boolean }>> } | null;
  };
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

/** Returns an expression, which GitHub replaces by its value. */
const expression = (name: string) => `\${{ ${name} }}`;

/** The expected permissions of each job's token. A job without its own permissions has those of its workflow. */
const granted: Readonly<Record<string, Readonly<Record<string, Permissions>>>> = {
  'base-images': { digests: { contents: 'read' }, propose: { contents: 'write', 'pull-requests': 'write' } },
  check: { check: { contents: 'read' } },
  validate: { validate: { contents: 'read' } },
  deploy: { deploy: { contents: 'read', 'id-token': 'write' } },
  diff: { diff: { contents: 'read', 'id-token': 'write' }, comment: { 'pull-requests': 'write' } },
  docs: { build: { contents: 'read' }, publish: { pages: 'write', 'id-token': 'write' } },
  production: {
    validate: { contents: 'read' },
    diff: { contents: 'read', 'id-token': 'write', 'pull-requests': 'write' },
    deploy: { contents: 'read', 'id-token': 'write' },
  },
  release: {
    prepare: { contents: 'read' },
    check: { contents: 'read' },
    publish: { contents: 'write' },
    npm: { 'id-token': 'write' },
  },
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

  it('calls workflows that exist, with the inputs and the permissions that they need', () => {
    for (const call of jobsOf(name).filter(({ uses }) => uses?.startsWith('./'))) {
      const callee = basename(call.uses ?? '', '.yml');
      expect(named).toContain(callee);
      const inputs = Object.entries(workflowOf(callee).on.workflow_call?.inputs ?? {});
      const required = inputs.filter(([, input]) => input.required).map(([input]) => input);
      const given = Object.keys(call.with ?? {});
      expect(inputs.map(([input]) => input)).toEqual(expect.arrayContaining(given));
      expect(given).toEqual(expect.arrayContaining(required));
      const needed = Object.assign({}, ...jobsOf(callee).map(({ permissions }) => permissions)) as Permissions;
      expect(call.permissions).toEqual(needed);
    }
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
    expect(commandsOf('validate')).toEqual(['npm ci', 'npx gpu-endpoints validate --env "$ENVIRONMENT"']);
    expect(job('production', 'validate')).toMatchObject({ uses: './.github/workflows/validate.yml' });
    expect(job('production', 'deploy')).toMatchObject({ uses: './.github/workflows/deploy.yml', needs: 'validate' });
    expect(texts.production).not.toContain('check.yml');
    expect(texts.deploy).not.toContain('check.yml');
  });
});

describe('a pull request', () => {
  it('gets no AWS credentials if it comes from a fork', () => {
    const pulled = named.filter((name) => 'pull_request' in workflowOf(name).on);
    const trusted = pulled.flatMap((name) => jobsOf(name)).filter(({ permissions = {} }) => 'id-token' in permissions);
    const during = trusted.filter(
      ({ if: condition = '' }) => !condition.startsWith("github.event_name != 'pull_request' && "),
    );
    expect(during.map(({ uses }) => uses)).toEqual(['./.github/workflows/diff.yml']);
    expect(job('diff', 'diff').if).toBe('github.event.pull_request.head.repo.full_name == github.repository');
    expect(pulled.flatMap((name) => Object.keys(workflowOf(name).on))).not.toContain('pull_request_target');
  });

  it('is compared by its templates only, with a role that cannot deploy', () => {
    const { steps = [] } = job('diff', 'diff');
    expect(steps.map(({ run = '' }) => run).join('\n')).toContain('npx cdk diff --method=template ');
    expect(job('production', 'diff').with).toMatchObject({ role: expression('vars.AWS_DIFF_ROLE_ARN') });
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
  const TITLE = 'What this pull request changes in the deployed stacks of prod:';

  /**
   * Runs the step with a fake `gh`, which finds comments with these ids.
   * @returns its folder
   */
  function commentOn(text: string, ...ids: readonly number[]): string {
    const folder = mkdtempSync(join(tmpdir(), 'comment-'));
    const gh = `#!/bin/sh\necho "$@" >> calls\ncase "$*" in *--paginate*) printf '%s' '${ids.join('\n')}';; esac\n`;
    writeFileSync(join(folder, 'gh'), gh, { mode: 0o755 });
    const env = { PATH: `${folder}:${process.env.PATH}`, TEXT: text, TITLE, NUMBER: '1', GITHUB_REPOSITORY: 'a/b' };
    const { run = '' } = job('diff', 'comment').steps?.[0] ?? {};
    execFileSync('bash', ['-eo', 'pipefail', '-c', run], { cwd: folder, env, stdio: 'ignore' });
    return folder;
  }

  it.each([
    ['creates the comment of its environment', [], '--method POST repos/a/b/issues/1/comments '],
    ['replaces its comment', [7, 9], '--method PATCH repos/a/b/issues/comments/9 '],
  ])('%s, and no comment of another environment or user', (_, ids, call) => {
    const calls = readFileSync(join(commentOn('+ a', ...ids), 'calls'), 'utf8');
    expect(calls).toContain('select(.user.login == "github-actions[bot]" and (.body | startswith(env.TITLE)))');
    expect(calls).toContain(`${call}--field body=@comment.md`);
  });

  it.each([
    ['a fence', `+ a\n${backticks}\n# Approved by the owner\n${backticks}${backticks}\n~~~\n</pre>`],
    ['a carriage return', '+ a\r# Approved by the owner'],
    ['blank lines', '+ a\n\n\n# Approved by the owner'],
    ['more than a comment can contain', '+ a\n'.repeat(30_000)],
  ])('shows the whole diff as code, even if the diff contains %s', (_, text) => {
    const comment = readFileSync(join(commentOn(text), 'comment.md'), 'utf8');
    expect(comment.length).toBeLessThan(65_536);
    expect(comment).not.toContain('\r');
    const [title, blank, ...lines] = comment.replace(/\n$/, '').split('\n');
    expect([title, blank]).toEqual([TITLE, '']);
    for (const line of lines) expect(line).toMatch(/^ {0,3}$|^ {4}/);
    expect(lines.length).toBeGreaterThan(0);
  });
});

describe('a deployment', () => {
  const { steps = [], ...deploy } = job('deploy', 'deploy');

  it('starts from main, in the environment whose rules require approval', () => {
    expect(workflowOf('production').on.push).toEqual({ branches: ['main'] });
    expect(Object.keys(workflowOf('deploy').on)).toEqual(['workflow_call']);
    expect(deploy.if).toBe("github.ref == 'refs/heads/main'");
    expect(deploy.environment).toBe(expression('inputs.github-environment'));
    expect(job('production', 'deploy').with).toMatchObject({ 'github-environment': 'production' });
  });

  it('waits for the previous deployment of its environment and does not cancel it', () => {
    expect(deploy.concurrency).toEqual({
      group: `deploy-${expression('inputs.github-environment')}`,
      'cancel-in-progress': false,
    });
  });

  it('has credentials for as long as the job can take', () => {
    const credentials = steps.find(({ uses }) => uses?.startsWith('aws-actions/'))?.with;
    expect(credentials).toMatchObject({ 'role-duration-seconds': 7_200 });
    expect(deploy).toMatchObject({ 'timeout-minutes': 120 });
  });

  it('examines the account before it changes anything', () => {
    const commands = steps.map(({ run, uses }) => run ?? uses?.replace(/@.*/, '')).slice(1);
    expect(commands).toEqual([
      'actions/checkout',
      'npm ci --ignore-scripts',
      'aws-actions/configure-aws-credentials',
      'npx gpu-endpoints doctor --env "$ENVIRONMENT"',
      'npx gpu-endpoints deploy --yes --env "$ENVIRONMENT"',
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
    expect(checks).toContain('step npx vitepress build docs\nstep npx node docs/.vitepress/check/main.ts\n');
  });

  it('is published only from main, after it is built and checked', () => {
    expect(workflowOf('docs').on).toEqual({ push: { branches: ['main'] }, workflow_dispatch: null });
    expect(job('docs', 'build').if).toMatch(/^github\.ref == 'refs\/heads\/main' && /);
    expect(job('docs', 'publish').needs).toBe('build');
    const steps = stepsOf('docs').map(({ run, uses }) => run ?? uses?.replace(/@.*/, ''));
    expect(steps).toEqual([
      'actions/checkout',
      'npm ci --ignore-scripts',
      'npx vitepress build docs',
      'npx node docs/.vitepress/check/main.ts',
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

  it('has the section of the changelog as its notes, and the package and the bill of materials as its files', () => {
    expect(commandsIn('prepare')).toEqual(
      expect.arrayContaining([
        'npm run --silent sbom',
        'npm run --silent package',
        'npx node bin/release-notes.ts "$GITHUB_REF_NAME" > dist/notes.md',
      ]),
    );
    expect(commandsIn('publish').at(-1)).toContain('--notes-file notes.md sbom.cdx.json gpu-endpoints-*.tgz');
  });

  it('is published by a job that runs none of its code', () => {
    const [download, create, ...others] = job('release', 'publish').steps ?? [];
    expect(others).toEqual([]);
    expect(download?.uses).toMatch(/^actions\/download-artifact@/);
    expect(create?.run).toMatch(/^gh release create /);
    expect(create?.run).not.toMatch(/\b(npm|npx|node|git)\b/);
  });

  it('publishes the checked package to npm with its provenance, if the variable is set, and runs none of its code', () => {
    const { needs, if: condition, environment, steps = [] } = job('release', 'npm');
    expect({ needs, condition, environment }).toEqual({
      needs: 'publish',
      condition: "vars.PUBLISH_TO_NPM == 'true'",
      environment: 'npm',
    });
    expect(steps.map(({ run, uses }) => run ?? uses?.replace(/@.*/, ''))).toEqual([
      'actions/download-artifact',
      'actions/setup-node',
      'npm publish ./gpu-endpoints-*.tgz --provenance --access public --ignore-scripts',
    ]);
  });
});
