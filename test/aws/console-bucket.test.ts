/** Reads the list of replaced files of the console from a server that replaces S3. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createConsoleBucket } from '../../aws/console/bucket.ts';
import { responseOf } from './small-aws.ts';
import { useSmallAws } from './use-small-aws.ts';

const aws = useSmallAws();
beforeEach(() => {
  process.env.CONSOLE_BUCKET = 'console';
});

describe('the list of replaced files', () => {
  it('is the stored list', async () => {
    aws.current.respond(responseOf(200, '{"assets/a.js":1767225600000}'));
    expect(await createConsoleBucket().readReplaced()).toEqual({ 'assets/a.js': 1_767_225_600_000 });
  });

  it('is empty before the first build is replaced', async () => {
    aws.current.respond(responseOf(404, '<?xml version="1.0"?><Error><Code>NoSuchKey</Code></Error>'));
    expect(await createConsoleBucket().readReplaced()).toEqual({});
  });

  it.each(['[1]', 'null', '{"assets/a.js":"yesterday"}', '{"assets/a.js":'])('is refused if it is %s', async (list) => {
    aws.current.respond(responseOf(200, list));
    await expect(createConsoleBucket().readReplaced()).rejects.toThrow(
      'The object replaced.json of the bucket console must map paths of files to milliseconds since the epoch.',
    );
  });
});
