/** What the operations of a session mean, in words. */

interface Right {
  readonly text: string;
  /** All of them are needed for the right. */
  readonly operations: readonly string[];
}

const all: readonly Right[] = [
  { text: 'Read endpoints, jobs, their inputs, outputs and logs', operations: ['endpoints', 'status', 'logs'] },
  { text: 'Read templates', operations: ['list-templates', 'read-template'] },
  { text: 'Run jobs', operations: ['run', 'runsync'] },
  { text: 'Cancel and retry jobs', operations: ['cancel', 'retry'] },
  { text: 'Send webhooks again', operations: ['resend'] },
  { text: 'Try a rolled back release again', operations: ['resume'] },
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
  /** One operation of the right: its group is the one that the right needs. */
  readonly operation: string;
}

/** @param operations of the session */
export const rightsOf = (operations: readonly string[]): ShownRight[] =>
  all.map(({ text, operations: needed }) => ({
    text,
    isGranted: needed.every((operation) => operations.includes(operation)),
    operation: needed[0] ?? '',
  }));
