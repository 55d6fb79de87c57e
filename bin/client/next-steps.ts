/** Commands that other commands suggest as the next step with a job. */
import type { CommonOptions } from './options.ts';

export interface NextSteps {
  readonly get: string;
  readonly cancel: string;
  readonly retry: string;
  readonly log: string;
  /** Prints why jobs of the endpoint wait. */
  readonly endpoint: string;
}

/** Returns the option with which a command selects the same deployment, after a space. */
export const sameProfile = ({ env }: Pick<CommonOptions, 'env'>): string => (env === undefined ? '' : ` --env ${env}`);

/** Returns the commands for a job, which select the same deployment as the command that suggests them. */
export function nextSteps(options: Pick<CommonOptions, 'env'>, endpoint: string, id: string): NextSteps {
  const profile = sameProfile(options);
  const ofJob = (verb: string) => `npx gpu-endpoints jobs ${verb} ${id} --endpoint ${endpoint}${profile}`;
  return {
    get: ofJob('get'),
    cancel: ofJob('cancel'),
    retry: ofJob('retry'),
    log: `npx gpu-endpoints logs ${endpoint} --job ${id}${profile}`,
    endpoint: `npx gpu-endpoints endpoints get ${endpoint}${profile}`,
  };
}
