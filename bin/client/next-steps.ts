/** Commands that other commands suggest as the next step with a job. */
import type { CommonOptions } from './options.ts';

export interface NextSteps {
  readonly get: string;
  readonly cancel: string;
  readonly retry: string;
  readonly log: string;
}

/** Returns the commands for a job, which select the same deployment as the command that suggests them. */
export function nextSteps({ env }: Pick<CommonOptions, 'env'>, endpoint: string, id: string): NextSteps {
  const profile = env === undefined ? '' : ` --env ${env}`;
  const ofJob = (verb: string) => `npx gpu-endpoints jobs ${verb} ${id} --endpoint ${endpoint}${profile}`;
  return {
    get: ofJob('get'),
    cancel: ofJob('cancel'),
    retry: ofJob('retry'),
    log: `npx gpu-endpoints logs ${endpoint} --job ${id}${profile}`,
  };
}
