/** Why workers may do what they may do: each may touch what is of its own endpoint, by leading keys and prefixes. */
import type { Reason } from './reasons.ts';

export const workerReasons: readonly Reason[] = [
  {
    roles: ['Endpoint/WorkersTaskTask'],
    actions: ['sqs:ReceiveMessage', 'sqs:ChangeMessageVisibility', 'sqs:DeleteMessage', 'sqs:SendMessage'],
    resources: ['queues of normal jobs', 'queues of low-priority jobs'],
    why: 'Receives messages, shows them to others, deletes them, and sends one for a job that it gives back.',
  },
  {
    roles: ['Endpoint/WorkersTaskTask'],
    actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
    resources: ['jobs table'],
    why: 'Takes jobs, watches and ends them; in the partitions of its endpoint alone.',
  },
  {
    roles: ['Endpoint/WorkersTaskTask'],
    actions: ['dynamodb:GetItem', 'dynamodb:PutItem'],
    resources: ['payloads table'],
    why: 'Loads inputs and stores outputs and errors of more than 200 bytes, and chunks, and notes which worker measures the volume and which was replaced for failing jobs; in the partitions of its endpoint alone.',
  },
  {
    roles: ['Endpoint/WorkersTaskTask'],
    actions: ['s3:GetObject'],
    resources: ['its objects of 2 days', 'its objects of 8 days', 'its objects of 50 days'],
    why: 'Loads inputs of more than 7 KB of its endpoint; the days depend on how long the job may wait and run.',
  },
  {
    roles: ['Endpoint/WorkersTaskTask'],
    actions: ['s3:PutObject'],
    resources: ['its objects of 2 days'],
    why: 'Stores outputs, errors and chunks of more than 7 KB of its endpoint.',
  },
  {
    roles: ['Endpoint/WorkersTaskTask'],
    actions: ['s3:PutObject'],
    resources: ['its objects of 8 days'],
    why: 'Stores chunks of more than 7 KB of jobs of its endpoint that may run on for days.',
  },
  {
    roles: ['Endpoint/WorkersTaskTask'],
    actions: ['kms:Decrypt'],
    resources: ['key of secrets'],
    why: 'Opens the `s3Config` of its jobs; the encryption context lets it open those of its endpoint alone.',
  },
  {
    roles: ['Endpoint/WorkersTaskTask'],
    actions: ['dynamodb:Query'],
    resources: ['endpoints table'],
    why: 'Reads its own endpoint and no other.',
  },
  {
    roles: ['Endpoint/WorkersTaskTask'],
    actions: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:DeleteItem'],
    resources: ['workers table'],
    why: 'Keeps its lease, and reads that of the worker whose job it may take over; among those of its endpoint alone.',
  },
  {
    roles: ['Endpoint/WorkersTaskTask'],
    actions: ['elasticfilesystem:ClientMount', 'elasticfilesystem:ClientWrite'],
    resources: ['file system of volumes'],
    why: 'Mounts the folder of its endpoint and writes in it; the access point lets it into no other.',
  },
  {
    roles: ['Endpoint/WorkersTaskTask'],
    actions: ['ecs:UpdateTaskProtection'],
    resources: ['tasks of the cluster'],
    why: 'Asks ECS not to stop it while it has a job; a task has no name before it runs, so the cluster bounds it.',
  },
  {
    roles: ['Endpoint/WorkersTaskTask'],
    actions: ['ecs:GetTaskProtection'],
    resources: ['tasks of the cluster'],
    why: 'It belongs to the endpoint at which a worker asks for protection.',
    unused:
      "ECS documents that a role needs it to use the agent's protection endpoint; it reads whether a task is protected.",
  },
  {
    roles: ['Endpoint/WorkersTaskExecution'],
    actions: ['secretsmanager:GetSecretValue'],
    resources: ['secrets of variables'],
    why: 'Gives a container the variables that its template has as `{{secrets:NAME}}`. Templates name secrets at run time, so it may read all that are kept for that, and no other secret.',
  },
  {
    roles: ['Endpoint/WorkersTaskExecution'],
    actions: ['secretsmanager:GetSecretValue'],
    resources: ['logins of registries'],
    why: 'Logs in to the registry that the template names by its `containerRegistryAuthId`.',
  },
];
