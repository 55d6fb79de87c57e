/** Tests rules for source files that the linter does not have. */
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

it('finds no vague names of files and folders', () => {
  const vague = /(^|\/)(utils?|helpers?|common|misc|shared|managers?)(\/|\.ts$)/i;
  const files = globSync('{bin,lib,core,aws,ingress,lambda,worker,examples,packages,test}/**/*.{ts,tsx}');
  expect(files.filter((file) => vague.test(file))).toEqual([]);
});

it('finds calls to addresses of clients only in `lambda/webhooks/egress/`', () => {
  const calls = /\bfetch\(|from 'node:(https?|http2|tls)'/;
  const calling = globSync('{core,aws,lambda}/**/*.ts')
    .filter((file) => !file.startsWith('lambda/webhooks/egress/'))
    .filter((file) => calls.test(readFileSync(file, 'utf8')));
  // The deployment sets the URL of the token issuer and of the ingress, and CloudFormation the URL for a custom
  // resource's response.
  expect(new Set(calling)).toEqual(new Set(['lambda/custom-resource.ts', 'aws/link.ts', 'aws/users/tokens.ts']));
});

it('finds assignments of the status of a job only in the job machine', () => {
  const assignment = /status['"]?\s*(:|=)\s*['"](IN_QUEUE|IN_PROGRESS|COMPLETED|FAILED|CANCELLED|TIMED_OUT)/;
  // The rows of the contract expect statuses.
  const files = globSync('{bin,lib,core,aws,lambda,worker,ingress}/**/*.ts', { exclude: ['bin/verify/rows/*'] });
  const assigning = files.filter((file) => assignment.test(readFileSync(file, 'utf8')));
  expect(assigning).toEqual(['core/jobs/machine.ts']);
});

// Biome's `noExcessiveLinesPerFile` does not count the lines of comments and of templates.
it('finds no file of more than 300 lines', () => {
  const lines = (file: string) => readFileSync(file, 'utf8').split('\n').length;
  expect(
    globSync(
      '{bin,lib,core,aws,packages,docs/.vitepress,ingress,lambda,worker,examples}/**/*.{ts,tsx}',
      // `npm run generate` generates these types.
      { exclude: ['packages/console/api/*-types.ts', 'packages/*/test/**'] },
    ).filter((file) => lines(file) > 301),
  ).toEqual([]);
});
