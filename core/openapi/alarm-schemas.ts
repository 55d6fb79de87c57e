/** Schemas of alarms by name. */
import { alarmStates } from '../management/list-alarms.ts';
import { exactObject, reference, type Schema, text } from './schema.ts';

export const alarmSchemas: Readonly<Record<string, Schema>> = {
  AlarmList: exactObject({
    alarms: { type: 'array', items: reference('Alarm'), description: 'Alarms; those that have gone off are first.' },
  }),
  Alarm: exactObject(
    {
      name: text('Name of the alarm in the guide, such as `AlarmsWaiting`.'),
      endpoint: text('Id of the endpoint; absent for an alarm of the deployment.'),
      state: text('ALARM: it has gone off. INSUFFICIENT_DATA: not evaluated yet.', { enum: alarmStates }),
      since: text('Time of the last change of the state.', { format: 'date-time' }),
      reason: text('Why CloudWatch has changed the state.'),
      description: text('What the alarm means.'),
      runbook: text('What to do: a page and its heading in the documentation.'),
      fullName: text('Name of the alarm in CloudWatch.'),
    },
    ['endpoint', 'runbook'],
  ),
};
