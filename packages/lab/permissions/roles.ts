/** Describes the roles of the stacks. */
import type { OperationDefinition } from '../../../core/operations/operation.ts';
import { operationFunctions } from '../../../lib/operations/names.ts';

/** Returns the roles of the functions of operations, with their requests. */
const ofOperations = (isWanted: (operation: OperationDefinition) => boolean): Readonly<Record<string, string>> =>
  Object.fromEntries(
    operationFunctions
      .filter(({ operation }) => isWanted(operation))
      .map(({ operation: { methods, path }, stack, name }) => {
        const [only, ...others] = methods;
        const request = `${others.length === 0 ? `${only} ` : ''}${path.replace('{path+}', '*')}`;
        return [`${stack}/${name}`, `\`${request}\``];
      }),
  );

/** The roles in the order of the page, and a description of each. */
export const roles: Readonly<Record<string, string>> = {
  'Platform/AuthorizerAuthorize': 'The authorizer: checks the key or token of every request',
  'Platform/IngressTaskTask':
    'The ingress: `/runsync`, `/status-sync`, `/stream` and `/openai/*`, and `/run` with large bodies, which it also authorizes',
  'Platform/IngressTaskExecution': 'ECS, when it starts a task of the ingress',
  ...ofOperations(({ waits }) => !waits),
  'Platform/OpenApiJobs': '`GET /openapi.json` of the job interface',
  'Management/OpenApiManagement': '`GET /openapi.json` of the management interface',
  'Platform/ConsoleUpload': 'The custom resource that uploads the console to its bucket',
  'Platform/EndpointsRegister': 'The custom resource that stores the configuration of an endpoint',
  'Platform/DeclaredTemplatesDeclare': 'The custom resource of an official template',
  'Platform/DeclaredTemplatesUse': 'The custom resource of the template that an endpoint uses',
  'Platform/CallerKeysMaintain': 'The custom resource that gives a function of a team its client key',
  'Platform/PlanKeysChange': 'The custom resource that adds hidden keys to usage plans',
  'Platform/ReleasesFirst': 'The custom resource that gives the task definitions of an endpoint their first revision',
  'Platform/ReleasesRelease': 'The custom resource that makes a service run the revision and template of its endpoint',
  'Platform/ReleasesRollout':
    'The function that makes services run a new version of their template, and Lambda, which reads the stream for it',
  'Platform/ReleasesLiveCount': 'The custom resource that reads the number of workers of a service for a deployment',
  'Platform/LedgerRecord': 'The ledger, and Lambda, which reads the stream for it',
  'Platform/WebhooksPipe': 'The pipe from the jobs stream to the state machine of deliveries',
  'Platform/WebhooksDelivery': 'The state machine of deliveries',
  'Platform/WebhooksDeliver': 'The function that calls the receivers of webhooks',
  'Platform/SweeperSweep': 'The sweeper',
  'Platform/SweeperExpiry': 'The state machine of timers',
  'Platform/SweeperExpire': 'The function that a timer calls to end jobs whose `ttl` has passed',
  'Platform/FleetEventsObserve': 'The function that receives the events of tasks, services and deployments',
  'Platform/LaunchesLaunch': 'The function that launches and ends the instances of pools',
  'Endpoint/WorkersTaskTask': 'The workers of one endpoint: the agent, and the code of the user',
  'Endpoint/WorkersTaskExecution': 'ECS, when it starts a worker',
  'Fleet/Instance': 'The instances of a pool. Containers on the instances cannot use the role',
};

/** Roles that exist only with `ingress: off`. No run uses them, so a test compares their reasons with the template. */
export const rolesWithoutIngress: Readonly<Record<string, string>> = {
  ...ofOperations(({ waits }) => waits === true),
  'Platform/JobsWaitsRead': 'The custom resource that reads how many calls can wait',
};
