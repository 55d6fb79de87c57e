/**
 * Images in private repositories of Amazon ECR. The role that starts workers pulls them, and only from the repositories
 * that the deployment permits. Images of all other registries need no role.
 */

/** A private repository of Amazon ECR. */
export interface EcrRepository {
  readonly account: string;
  readonly region: string;
  /** Name of the repository. In a permission, the last character can be `*`, for all names with this beginning. */
  readonly name: string;
}

/**
 * The addresses of registries, also those of China and of the European Sovereign Cloud, with FIPS and with IPv6. Host
 * names can have upper-case letters and a port.
 */
const IMAGE =
  /^(?<account>\d{12})\.dkr[.-]ecr(?:-fips)?\.(?<region>[a-z0-9-]+)\.(?:amazonaws\.(?:com(?:\.cn)?|eu)|on\.(?:aws|amazonwebservices\.(?:com\.cn|eu)))(?::\d+)?\/(?<name>[^:@]+)/i;

/** Returns the repository of an image, or undefined if it is not in a private repository of Amazon ECR. */
export function ecrRepositoryOf(image: string): EcrRepository | undefined {
  const { account, region, name } = IMAGE.exec(image)?.groups ?? {};
  return account && region && name ? { account, region: region.toLowerCase(), name } : undefined;
}

/** Returns a repository as endpoints store it and messages show it. Other addresses of the registry are converted to this form. */
export const repositoryAddress = ({ account, region, name }: EcrRepository): string =>
  `${account}.dkr.ecr.${region}.amazonaws.com/${name}`;

const covers = (permitted: string, address: string): boolean =>
  permitted.endsWith('*') ? address.startsWith(permitted.slice(0, -1)) : address === permitted;

/**
 * Returns why workers cannot pull an image, as the end of the sentence "`imageName` …", or undefined if they can.
 * @param repositories from which workers may pull, each in the form of `repositoryAddress`
 */
export function pullRefusal(image: string, repositories: readonly string[]): string | undefined {
  const repository = ecrRepositoryOf(image);
  const address = repository && repositoryAddress(repository);
  if (address === undefined || repositories.some((permitted) => covers(permitted, address))) return undefined;
  const allowed = repositories.length > 0 ? repositories.join(', ') : 'none';
  return `must be in a repository of Amazon ECR from which workers may pull (${allowed}) or in another registry, got ${image}; to permit it, add the repository to the setting \`imageRepositories\` of the deployment`;
}
