import { environment } from '../../aws/environment.ts';
import { createAlarms } from '../../aws/management/alarms.ts';
import { DEPLOYMENT_VARIABLE } from '../../core/deployment.ts';
import { listAlarms } from '../../core/management/list-alarms.ts';
import { http } from '../http.ts';

const ports = { alarms: createAlarms(), deployment: environment(DEPLOYMENT_VARIABLE) };

/** GET /alarms */
export const handler = http(({ endpoints: permitted }) => listAlarms(ports, { permitted }));
