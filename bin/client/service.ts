/** Finds the deployment that a command calls over HTTP, and the key with which it calls. */
import { stages } from '../../core/operations/routes.ts';
import { DEV, LOCAL } from '../environment-name.ts';
import { localOutputs, readOutputs } from '../outputs-file.ts';
import { checkedKey } from './key-form.ts';
import { type Profile, readProfiles } from './profiles.ts';

/** A deployment with the key of the caller. */
export interface Service extends Profile {
  /** Name of the profile, `local`, or the variable that contains the address. */
  readonly name: string;
}

/** Variables that select a deployment without a profile, for CI. */
export const variables = { url: 'GPU_ENDPOINTS_URL', key: 'GPU_ENDPOINTS_KEY', env: 'GPU_ENDPOINTS_ENV' } as const;

/** Profile of a caller who names none. */
export const DEFAULT_PROFILE = 'default';

/** Returns the address without the version of an interface and without a slash at its end. */
export function addressOf(url: string): string {
  const address = url.replace(/\/$/, '');
  const version = Object.values(stages).find((stage) => address.endsWith(`/${stage}`));
  return version === undefined ? address : address.slice(0, -`/${version}`.length);
}

/**
 * Returns the address that a user has set, as `addressOf` does.
 * @param source option, variable or file with the address
 * @throws Error, which names the source
 */
export function addressFrom(source: string, url: string): string {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw new Error(`${source} must be an address such as https://gpu.example.com, got ${JSON.stringify(url)}.`);
  return addressOf(url);
}

interface LocalOutputs {
  readonly JobApiUrl?: string;
  readonly ApiKey?: string;
}

/** Returns the service of `dev` that runs in this folder, if there is one. */
function localService(): Service | undefined {
  const stacks = readOutputs<LocalOutputs>(localOutputs()) ?? {};
  const { JobApiUrl: url, ApiKey: key } = Object.values(stacks).find(({ ApiKey }) => ApiKey !== undefined) ?? {};
  return url && key ? { name: LOCAL, url: addressOf(url), key } : undefined;
}

/**
 * Returns the deployment of the variables, if they are set.
 * @throws Error if only one of them is set: another deployment would be called than the one that the user means
 */
function serviceOfVariables(): Service | undefined {
  const { [variables.url]: url, [variables.key]: key } = process.env;
  if (!url && !key) return undefined;
  if (url && key)
    return { name: variables.url, url: addressFrom(variables.url, url), key: checkedKey(variables.key, key) };
  const [set, missing] = url ? [variables.url, variables.key] : [variables.key, variables.url];
  throw new Error(`${set} is set, but ${missing} is not: set both, unset both, or choose a profile with --env.`);
}

function serviceOfProfile(name: string, { url, key }: Profile): Service {
  return { name, url, key: checkedKey(`The key of the profile ${name}`, key) };
}

/**
 * Returns the deployment with this name. Without a name: that of the variables, then the profile `default`, then the
 * service of `dev` that runs in this folder.
 * @throws Error, which says how to select one
 */
export function chosenService(env: string | undefined = process.env[variables.env]): Service {
  if (env === LOCAL) {
    const local = localService();
    if (!local) throw new Error(`No service runs in this folder: start it with \`${DEV}\` in another terminal.`);
    return local;
  }
  const chosen = env === undefined ? serviceOfVariables() : undefined;
  if (chosen) return chosen;
  const profiles = readProfiles();
  const profile = profiles[env ?? DEFAULT_PROFILE];
  if (profile) return serviceOfProfile(env ?? DEFAULT_PROFILE, profile);
  const local = env === undefined ? localService() : undefined;
  if (local) return local;
  const names = Object.keys(profiles);
  const known = names.length === 0 ? 'There is none yet.' : `There are ${names.join(', ')}.`;
  throw new Error(
    env === undefined
      ? `No deployment is selected: choose a profile with --env, log in with \`npx gpu-endpoints login --url URL\`, or start \`${DEV}\`. ${known}`
      : `There is no profile ${JSON.stringify(env)}: log in with \`npx gpu-endpoints login --env ${env} --url URL\`. ${known}`,
  );
}
