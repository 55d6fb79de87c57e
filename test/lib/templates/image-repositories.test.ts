/** Tests from which repositories of Amazon ECR the role that starts workers may pull, with the evaluator of the laptop. */
import { describe, expect, it } from '@jest/globals';
import { App } from 'aws-cdk-lib';
import { addStacks } from '../../../lib/deployment/deployment.ts';
import { InvalidSetting, scopeWith } from '../../../lib/settings/settings.ts';
import type { TemplateDeclaration } from '../../../lib/templates/declaration.ts';
import { imageRepositoriesOf } from '../../../lib/templates/image-repositories.ts';
import { evaluate } from '../../../packages/emulator/iam/evaluate.ts';
import { parsePolicy } from '../../../packages/emulator/iam/statement.ts';
import { accessesIn } from '../../git/role-statements.ts';
import { declare, synthesizeWith, templatesOnly } from '../synthesis.ts';

const OWN = 'us-east-1:000000000000';
const FOREIGN = 'eu-west-1:210987654321';
const ASSETS = `${OWN}:repository/cdk-hnb659fds-container-assets-000000000000-us-east-1`;
const FOREIGN_WORKER = '210987654321.dkr.ecr.eu-west-1.amazonaws.com/team/worker';

/** Returns whether the role that starts workers of `echo` may pull from a repository, such as `REGION:ACCOUNT:repository/a`. */
function pulls(settings: object) {
  const accesses = accessesIn(synthesizeWith(settings, [declare('echo')])).filter(({ policy }) =>
    /^Endpoint-echo\/.*ExecutionRole/.test(policy),
  );
  const Statement = accesses.map(({ action, resource }) => ({
    Effect: 'Allow' as const,
    Action: action,
    Resource: resource,
  }));
  const identity = parsePolicy({ Version: '2012-10-17', Statement }, 'the role', 'identity');
  return (repository: string) =>
    evaluate(
      { roleArn: 'role' },
      { action: 'ecr:BatchGetImage', resource: `arn:aws:ecr:${repository}` },
      { identity, resource: [] },
    ).allowed;
}

const ENV = { account: '123456789012', region: 'eu-west-1' };
const REGISTRY = `${ENV.account}.dkr.ecr.${ENV.region}.amazonaws.com`;

/** Returns a function that makes the stacks of an environment whose account is known. */
const making = (settings: object, image: string, templates: readonly TemplateDeclaration[] = []) => {
  const app = new App({ context: { ...templatesOnly, ...settings }, treeMetadata: false });
  return () => addStacks(app, [declare('echo', { image })], { templates, env: ENV });
};

const from = (imageRepositories: unknown) => imageRepositoriesOf(scopeWith({ imageRepositories }));

describe('the role that starts workers', () => {
  it('may pull from all repositories of its account and Region by default, and from no others', () => {
    const may = pulls({});
    expect([`${OWN}:repository/a`, `${OWN}:repository/models/llama`, ASSETS].map(may)).toEqual([true, true, true]);
    expect([`us-east-1:210987654321:repository/a`, `eu-west-1:000000000000:repository/a`].map(may)).toEqual([
      false,
      false,
    ]);
  });

  it('may pull only from the repositories of the setting, and images that the deployment builds', () => {
    const digest = `sha256:${'0a'.repeat(32)}`;
    const images = { registry: 'registry.example.com/platform', agent: digest, ingress: digest };
    const may = pulls({ images, imageRepositories: ['models/*', FOREIGN_WORKER] });
    const allowed = [`${OWN}:repository/models/llama`, `${FOREIGN}:repository/team/worker`, ASSETS];
    expect(allowed.map(may)).toEqual([true, true, true]);
    const denied = [`${OWN}:repository/payroll`, `${OWN}:repository/models`, `${OWN}:repository/team/worker`];
    expect([...denied, `${FOREIGN}:repository/models/llama`].map(may)).toEqual([false, false, false, false]);
  });
});

describe('the file of an endpoint or a template', () => {
  it.each([`${REGISTRY}/models/llama:1`, 'ghcr.io/team/worker:1', `${FOREIGN_WORKER}:1`])('can name %s', (image) => {
    expect(making({ imageRepositories: `models/*,${FOREIGN_WORKER}` }, image)).not.toThrow();
  });

  it.each<[object, string, string]>([
    [{ imageRepositories: 'models/*' }, `${REGISTRY}/payroll:1`, `${REGISTRY}/models/*`],
    [{}, `${FOREIGN_WORKER}:1`, `${REGISTRY}/*`],
  ])('with the settings %j is refused with the image %s', (settings, image, allowed) => {
    expect(making(settings, image)).toThrow(InvalidSetting);
    const reason = `the image must be in a repository of Amazon ECR from which workers may pull (${allowed}`;
    expect(making(settings, image)).toThrow(`Endpoint \`echo\`: ${reason}`);
    const template = { id: 'official', name: 'Official', imageName: image };
    expect(making(settings, 'team/worker:1', [template])).toThrow(`Template \`official\`: ${reason}`);
  });
});

describe('the setting imageRepositories', () => {
  it('is all repositories of the account and Region by default', () => {
    expect([undefined, ''].map(from)).toEqual([[{ name: '*' }], [{ name: '*' }]]);
  });

  it('can be a list or separated by commas, and can be empty', () => {
    const expected = [{ name: 'models/*' }, { account: '210987654321', region: 'eu-west-1', name: 'team/worker' }];
    expect([from(`models/*, ${FOREIGN_WORKER}`), from(['models/*', FOREIGN_WORKER])]).toEqual([expected, expected]);
    expect([from([]), from('*')]).toEqual([[], [{ name: '*' }]]);
  });

  it.each<[unknown]>([
    ['models/*/llama'],
    ['Models'],
    [`${REGISTRY}/models:1`],
    ['models:1'],
    ['12345.dkr.ecr.eu-west-1.amazonaws.com/models'],
    ['arn:aws:ecr:eu-west-1:123456789012:repository/models'],
    ['models,'],
    ['/models'],
    [5],
    [Array(21).fill('a')],
    ['a'.repeat(257)],
  ])('refuses %j with the allowed values', (value) => {
    expect(() => from(value)).toThrow(InvalidSetting);
    expect(() => from(value)).toThrow(
      'The context `imageRepositories` must be a list of at most 20 repositories of Amazon ECR, such as models/*',
    );
  });
});
