/** Roles, in the order of the page, and whose they are. */
export const roles = {
  'Platform/AuthorizerAuthorize': 'The authorizer: decides over the key of every request',
  'Platform/JobsRun': '`POST /{endpoint}/run`',
  'Platform/JobsRunSync': '`POST /{endpoint}/runsync`',
  'Platform/JobsStatus': '`/{endpoint}/status/{job}`',
  'Platform/JobsStatusSync': '`/{endpoint}/status-sync/{job}`',
  'Platform/JobsStream': '`/{endpoint}/stream/{job}`',
  'Platform/JobsLogs': '`GET /{endpoint}/logs/{job}`',
  'Platform/JobsCancel': '`POST /{endpoint}/cancel/{job}`',
  'Platform/JobsRetry': '`POST /{endpoint}/retry/{job}`',
  'Platform/JobsPurgeQueue': '`POST /{endpoint}/purge-queue`',
  'Platform/JobsRequests': '`GET /{endpoint}/requests`',
  'Platform/JobsHealth': '`GET /{endpoint}/health`',
  'Platform/ManagementEndpoints': '`GET /endpoints`',
  'Platform/ManagementReleases': '`GET /endpoints/{endpoint}/releases`',
  'Platform/ManagementTemplatesCreate': '`POST /templates`',
  'Platform/ManagementTemplatesList': '`GET /templates`',
  'Platform/ManagementTemplatesRead': '`GET /templates/{template}`',
  'Platform/ManagementTemplatesRemove': '`DELETE /templates/{template}`',
  'Platform/ManagementTemplatesUpdate': '`POST /templates/{template}/update`',
  'Platform/OpenApiJobs': '`GET /openapi.json` of the job interface',
  'Platform/OpenApiManagement': '`GET /openapi.json` of the management interface',
  'Platform/EndpointsRegister': 'The custom resource that keeps the record of an endpoint',
  'Platform/ReleasesFirst': 'The custom resource that gives the task definitions of an endpoint their first revision',
  'Platform/ReleasesRelease': 'The custom resource that makes a service run what its endpoint says',
  'Platform/ReleasesRollout':
    'What makes services run a new version of their template, and Lambda, which reads the stream for it',
  'Platform/ReleasesLiveCount': 'The custom resource that tells a deployment how many workers a service runs',
  'Platform/LedgerRecord': 'The ledger, and Lambda, which reads the stream for it',
  'Platform/SweeperSweep': 'The sweeper',
  'Platform/FleetEventsObserve':
    'What hears of tasks, services and deployments, and of instances that cannot be started',
  'Endpoint/WorkersTaskTask': 'The workers of one endpoint: the agent, and the code of the user beside it',
  'Endpoint/WorkersTaskExecution': 'ECS, when it starts a worker',
  'Fleet/Instance': 'The instances of a pool; containers on them cannot have it',
} as const;

export type Role = keyof typeof roles;
