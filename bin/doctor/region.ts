/** Finds the Region of a command. */
import { STSClient } from '@aws-sdk/client-sts';

/** Returns the Region that the CDK command would use: from the environment, otherwise from the profile. */
export async function regionOf({ AWS_REGION, AWS_DEFAULT_REGION }: NodeJS.ProcessEnv): Promise<string | undefined> {
  const named = AWS_REGION || AWS_DEFAULT_REGION;
  if (named) return named;
  try {
    return await new STSClient({}).config.region();
  } catch {
    return undefined;
  }
}
