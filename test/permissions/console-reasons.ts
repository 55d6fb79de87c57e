/** Why what uploads the console may do what it may do. */
import type { Reason } from './reasons.ts';

export const consoleReasons: readonly Reason[] = [
  {
    roles: ['Platform/ConsoleUpload'],
    actions: ['s3:ListBucket'],
    resources: ['bucket of the console'],
    why: 'Lists the files, to find those of earlier builds.',
  },
  {
    roles: ['Platform/ConsoleUpload'],
    actions: ['s3:PutObject'],
    resources: ['files of the console', 'its list of replaced files'],
    why: 'Stores the files of a build, and when it replaced others.',
  },
  {
    roles: ['Platform/ConsoleUpload'],
    actions: ['s3:GetObject'],
    resources: ['its list of replaced files'],
    why: 'Reads since when files are replaced.',
  },
  {
    roles: ['Platform/ConsoleUpload'],
    actions: ['s3:DeleteObject'],
    resources: ['files of the console', 'its list of replaced files'],
    why: 'Removes files that a build replaced 30 days ago, and all files when the console is switched off.',
    unused: 'It takes 30 days, or another deployment without the console.',
  },
];
