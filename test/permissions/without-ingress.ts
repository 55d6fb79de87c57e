/**
 * With `ingress: off`, functions do what the ingress does: the roles that there are then, and why they may do what they may.
 * No run uses them, so a test holds this against the template.
 */
export const rolesWithoutIngress = {
  'Platform/JobsRunSync': '`POST /{endpoint}/runsync`',
  'Platform/JobsStatusSync': '`/{endpoint}/status-sync/{job}`',
  'Platform/JobsStream': '`/{endpoint}/stream/{job}`',
  'Platform/JobsOpenAi': '`/{endpoint}/openai/*`',
  'Platform/JobsWaitsRead': 'The custom resource that reads how many calls may wait',
} as const;

export type RoleWithoutIngress = keyof typeof rolesWithoutIngress;

interface ReasonWithoutIngress {
  readonly roles: readonly RoleWithoutIngress[];
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly why: string;
}

const runsync = 'Platform/JobsRunSync';
const statusSync = 'Platform/JobsStatusSync';
const stream = 'Platform/JobsStream';
const openai = 'Platform/JobsOpenAi';
const waitsRead = 'Platform/JobsWaitsRead';

export const reasonsWithoutIngress: readonly ReasonWithoutIngress[] = [
  {
    roles: [runsync, statusSync, stream, openai],
    actions: ['dynamodb:Query'],
    resources: ['endpoints table'],
    why: 'Reads the endpoint that the request is about.',
  },
  {
    roles: [runsync, statusSync, stream, openai],
    actions: ['dynamodb:UpdateItem'],
    resources: ['endpoints table'],
    why: 'Takes a slot before the call waits, and releases it; in the partitions of slots alone.',
  },
  {
    roles: [runsync, statusSync, stream, openai],
    actions: ['dynamodb:BatchGetItem'],
    resources: ['jobs table'],
    why: 'Looks at the job while calls wait for it, together with the jobs of other calls of the process.',
  },
  {
    roles: [runsync, openai],
    actions: ['dynamodb:PutItem'],
    resources: ['jobs table', 'payloads table'],
    why: 'Stores the job, and before it an input of more than 200 bytes, a long address of a webhook, a sealed `s3Config`, and the claim of an `Idempotency-Key`.',
  },
  {
    roles: [runsync, openai],
    actions: ['s3:PutObject'],
    resources: ['all payload objects'],
    why: 'Stores an input of more than 7 KB.',
  },
  {
    roles: [runsync],
    actions: ['kms:GenerateDataKey'],
    resources: ['key of secrets'],
    why: 'Makes the data key by which it seals the `s3Config` of a job; to open one takes another permission.',
  },
  {
    roles: [runsync, statusSync],
    actions: ['dynamodb:GetItem'],
    resources: ['jobs table', 'payloads table', 'deliveries table'],
    why: 'Reads the job, an output or error of more than 200 bytes, and what has become of its webhook.',
  },
  {
    roles: [runsync, statusSync],
    actions: ['dynamodb:Query'],
    resources: ['arrivals table', 'workers table'],
    why: 'Says where a job stands that waits, and why: counts those that came before it, and reads the leases of workers.',
  },
  {
    roles: [stream, openai],
    actions: ['dynamodb:GetItem'],
    resources: ['jobs table'],
    why: 'Reads how many chunks of the last attempt count.',
  },
  {
    roles: [stream],
    actions: ['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:UpdateItem'],
    resources: ['payloads table'],
    why: 'Lists the chunks of the job, and stores how far they were given, where it gives each once.',
  },
  {
    roles: [openai],
    actions: ['dynamodb:GetItem', 'dynamodb:Query'],
    resources: ['payloads table'],
    why: 'Lists the chunks of the job, and reads an output or error of more than 200 bytes.',
  },
  {
    roles: [runsync, statusSync, stream, openai],
    actions: ['s3:GetObject'],
    resources: ['all payload objects'],
    why: 'Reads an output, error or chunk of more than 7 KB.',
  },
  {
    roles: [runsync, statusSync, stream, openai],
    actions: ['dynamodb:UpdateItem'],
    resources: ['jobs table'],
    why: 'Stores the end of a job whose time is over before the client sees it.',
  },
  {
    roles: [waitsRead],
    actions: ['lambda:GetAccountSettings'],
    resources: ['no resource'],
    why: "Reads the account's quota of concurrent executions, half of which may wait; IAM knows no narrower resource.",
  },
  {
    roles: [runsync, statusSync, stream, openai, waitsRead],
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    resources: ['its log group'],
    why: 'Lambda writes what the function logs.',
  },
];
