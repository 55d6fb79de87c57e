/** Operations on the alarms of the deployment. */
import { reference } from '../openapi/schema.ts';
import type { OperationDefinitions } from './operation.ts';

export const alarms = {
  'list-alarms': {
    methods: ['GET'],
    path: '/alarms',
    // CloudWatch permits nine calls a second to all callers of an account, and a call here can need several.
    limit: { per10Seconds: 10 },
    role: 'viewer',
    keyText: 'List the alarms and their states',
    lambda: { id: 'ListAlarms', handler: 'lambda/management/list-alarms.ts', does: 'lists the alarms.' },
    tag: 'Endpoints',
    summary:
      'Lists the alarms of the endpoints that the caller may call, and for callers of all endpoints those of the deployment',
    answer: reference('AlarmList'),
  },
} satisfies OperationDefinitions;
