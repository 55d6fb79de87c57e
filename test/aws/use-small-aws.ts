import { afterEach, beforeEach } from '@jest/globals';
import { type SmallAws, startSmallAws } from './small-aws.ts';

/** Starts a server that replaces AWS before each test, and sets only the variables that make clients call it. */
export function useSmallAws(): { readonly current: SmallAws } {
  let before: NodeJS.ProcessEnv;
  let aws: SmallAws | undefined;

  beforeEach(async () => {
    before = process.env;
    aws = await startSmallAws();
    const others = Object.entries(before).filter(([name]) => !name.startsWith('AWS_'));
    process.env = {
      ...Object.fromEntries(others),
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_ENDPOINT_URL: aws.url,
    };
  });
  afterEach(() => {
    process.env = before;
    aws?.stop();
  });

  return {
    get current() {
      if (!aws) throw new Error('The server starts before each test.');
      return aws;
    },
  };
}
