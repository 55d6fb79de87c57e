/** Describes in words which operations a session permits. */

interface Right {
  readonly text: string;
  /** Operations that the right consists of. */
  readonly operations: readonly string[];
}

const all: readonly Right[] = [
  { text: 'Read endpoints, jobs, their inputs, outputs and logs', operations: ['endpoints', 'status', 'logs'] },
  { text: 'Read templates', operations: ['list-templates', 'read-template'] },
  { text: 'Run jobs', operations: ['run', 'runsync'] },
  { text: 'Cancel and retry jobs', operations: ['cancel', 'retry'] },
  { text: 'Send webhooks again', operations: ['resend'] },
  { text: 'Retry a release that was rolled back', operations: ['resume'] },
  {
    text: 'Create, change and delete templates',
    operations: ['create-template', 'update-template', 'remove-template'],
  },
  { text: 'List, create and revoke API keys', operations: ['list-keys', 'create-key', 'revoke-key'] },
  { text: 'Purge queues', operations: ['purge-queue'] },
];

export interface ShownRight {
  readonly text: string;
  readonly isGranted: boolean;
  /** First operation of the right. Its group is the group that the user needs for the right. */
  readonly operation: string;
}

/** @param operations of the session */
export const rightsOf = (operations: readonly string[]): ShownRight[] =>
  all.map(({ text, operations: needed }) => ({
    text,
    isGranted: needed.every((operation) => operations.includes(operation)),
    operation: needed[0] ?? '',
  }));
