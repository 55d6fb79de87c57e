import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns settings with which the SDK calls the AWS services of `npm start` as its operator. */
export function operatorSettings(stateDir: string) {
  const { Platform } = JSON.parse(readFileSync(join(stateDir, 'outputs.json'), 'utf8')) as {
    Platform: { AwsEnvironment: Readonly<Record<string, string>> };
  };
  const {
    AWS_REGION: region = '',
    AWS_ENDPOINT_URL: endpoint = '',
    AWS_ACCESS_KEY_ID: accessKeyId = '',
    AWS_SECRET_ACCESS_KEY: secretAccessKey = '',
    AWS_SESSION_TOKEN: sessionToken = '',
  } = Platform.AwsEnvironment;
  return { region, endpoint, credentials: { accessKeyId, secretAccessKey, sessionToken } };
}
