/**
 * The setting `imageRepositories`: the repositories of Amazon ECR from which workers can pull. The role that starts
 * workers, changes of templates, and synthesis have the same list.
 */
import { DefaultStackSynthesizer, Stack, Token } from 'aws-cdk-lib';
import { Grant, type IRole } from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';
import { type EcrRepository, ecrRepositoryOf, pullRefusal, repositoryAddress } from '../../core/templates/ecr-image.ts';
import { acknowledgeGrant } from '../constructs/acknowledge.ts';
import { ECR_PULL, NO_IMAGES } from '../constructs/images.ts';
import { explain } from '../constructs/reasons.ts';
import { allowedBy, type Setting } from '../settings/field-text.ts';
import { InvalidSetting } from '../settings/settings.ts';

const SETTING = 'imageRepositories';
const ALL = '*';
/** Maximum number, because the policies of a role have at most 10,240 characters. */
const MAX_REPOSITORIES = 20;
/** Maximum length of the name of a repository in ECR, in characters. */
const MAX_NAME = 256;
const repositoriesMust = `must be a list of at most ${MAX_REPOSITORIES} repositories of Amazon ECR, such as models/* for the account and Region of the stacks, or 123456789012.dkr.ecr.eu-west-1.amazonaws.com/team/worker for others, with * only as the last character`;

const NAME = /^(?:[a-z0-9](?:[a-z0-9._/-]*[a-z0-9])?|(?:[a-z0-9][a-z0-9._/-]*)?\*)$/;
/** A part of an address, which a name in the account and Region of the stacks does not have. */
const ADDRESS = /[.-]ecr[.-]|amazonaws/;

/** A repository, whose account and Region are those of the stacks unless the setting names them. */
type Named = Pick<EcrRepository, 'name'> & Partial<EcrRepository>;

function namedBy(entry: unknown): Named | undefined {
  if (typeof entry !== 'string') return undefined;
  const repository = ecrRepositoryOf(entry);
  const name = repository?.name ?? entry;
  const isName = name.length <= MAX_NAME && NAME.test(name) && !ADDRESS.test(name);
  return isName && !/[:@]/.test(entry) ? (repository ?? { name }) : undefined;
}

/**
 * Reads the context `imageRepositories`: repositories separated by commas, or a list.
 * @returns all repositories of the account and Region of the stacks, unless the setting restricts them
 * @throws InvalidSetting
 */
export function imageRepositoriesOf(scope: IConstruct): readonly Named[] {
  const value: unknown = scope.node.tryGetContext(SETTING);
  if (value === undefined || value === '') return [{ name: ALL }];
  const entries: readonly unknown[] =
    typeof value === 'string' ? value.split(',').map((each) => each.trim()) : [value].flat();
  const named = entries.map(namedBy).filter((repository) => repository !== undefined);
  if (entries.length <= MAX_REPOSITORIES && named.length === entries.length) return named;
  throw new InvalidSetting(`The context \`${SETTING}\` ${repositoriesMust}, got ${JSON.stringify(value)}.`);
}

export const imageRepositoriesSetting: Setting = {
  read: imageRepositoriesOf,
  text: {
    description:
      'Repositories of Amazon ECR from which workers can pull images, in addition to images that the deployment builds. Other registries are not restricted.',
    type: 'string or list of strings',
    without: 'all repositories of the account and Region of the stacks',
    allowed: allowedBy(repositoriesMust),
    guide: 'imageRepositories',
  },
};

/** Returns the repositories from which workers can pull, with that of the images that the deployment builds. */
function pullable(scope: IConstruct): EcrRepository[] {
  const { account, region, synthesizer } = Stack.of(scope);
  const named = imageRepositoriesOf(scope);
  const qualifier = synthesizer.bootstrapQualifier ?? DefaultStackSynthesizer.DEFAULT_QUALIFIER;
  const built = { name: `cdk-${qualifier}-container-assets-${account}-${region}` };
  const isCovered = named.some((repository) => repository.account === undefined && repository.name === ALL);
  return [...named, ...(isCovered ? [] : [built])].map((repository) => ({ account, region, ...repository }));
}

/** Returns the addresses of the repositories from which workers of the scope's stack can pull. */
export const pullableAddresses = (scope: IConstruct): string[] => pullable(scope).map(repositoryAddress);

/**
 * Checks that workers can pull an image that a file names. Without the account of the stacks, the deployment checks it.
 * @param named the declaration, such as "Endpoint `echo`"
 * @throws InvalidSetting
 */
export function assertPullable(scope: IConstruct, named: string, image: string): void {
  const { account, region } = Stack.of(scope);
  if ([account, region, image].some((value) => Token.isUnresolved(value))) return;
  const reason = pullRefusal(image, pullableAddresses(scope));
  if (reason !== undefined) throw new InvalidSetting(`${named}: the image ${reason}.`);
}

/** Lets the role pull images of the repositories from which workers can pull. */
export function grantImages(executionRole: IRole): void {
  const { partition } = Stack.of(executionRole);
  const arns = pullable(executionRole).map(
    ({ account, region, name }) => `arn:${partition}:ecr:${region}:${account}:repository/${name}`,
  );
  Grant.addToPrincipal({
    grantee: executionRole,
    actions: ECR_PULL.map((action) => `ecr:${action}`),
    resourceArns: arns,
  }).assertSuccess();
  explain(executionRole, 'ecr', ECR_PULL, 'repositories of the account and Region', {
    reason:
      'ECS pulls the images that templates name at run time. The setting `imageRepositories` restricts or extends the repositories.',
    unused: NO_IMAGES,
  });
  // IAM has no narrower resource for the login.
  Grant.addToPrincipal({
    grantee: executionRole,
    actions: ['ecr:GetAuthorizationToken'],
    resourceArns: [ALL],
  }).assertSuccess();
  acknowledgeGrant(executionRole, {
    ...Object.fromEntries(
      imageRepositoriesOf(executionRole).map(
        ({ account = '<AWS::AccountId>', region = '<AWS::Region>', name }) =>
          [
            `IAM5[Resource::arn:<AWS::Partition>:ecr:${region}:${account}:repository/${name}]`,
            'Templates name images at run time. The setting `imageRepositories` determines the repositories.',
          ] as const,
      ),
    ),
    'IAM5[Resource::*]': 'ecr:GetAuthorizationToken has no narrower resource.',
  });
}
