/**
 * Patterns that can take more than linear time and stay, because they process only short texts or texts of this
 * repository. `npm run bounds -w packages/lab` refuses an entry whose pattern is gone or is no longer slow.
 */
export interface Accepted {
  readonly file: string;
  /** The pattern as in its source. */
  readonly pattern: string;
  /** Where its texts come from. */
  readonly reason: string;
  /** The largest text. */
  readonly bound: string;
}

export const accepted: readonly Accepted[] = [
  {
    file: 'bin/execution-policy/policies.ts',
    pattern: '/^s3:.*eBucketMetadata.*TableConfiguration$/i',
    reason: 'actions and ARNs, in this repository',
    bound: 'an ARN, below 2 KB',
  },
  {
    file: 'bin/pages/commands.ts',
    pattern: String.raw`/^(.+?) \(default: (.+)\)$/`,
    reason: 'the help texts of the commands, in this repository',
    bound: 'the description of one variable, below 1 KB',
  },
  {
    file: 'bin/release-notes.ts',
    pattern: String.raw`/\]\((?![a-z]+:|#)([^)\s]+)\)/g`,
    reason: 'CHANGELOG.md of this repository',
    bound: 'the section of one release, below 100 KB',
  },
];
