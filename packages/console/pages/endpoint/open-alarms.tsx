/** Shows the alarms of an endpoint that have gone off. */
import Alert from '@cloudscape-design/components/alert';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { Alarm } from '../../api/management-types.ts';
import { alarmWord, openAlarms } from '../../endpoint/alarm.ts';
import { AlarmText } from '../../endpoint/alarm-text.tsx';

interface Props {
  readonly endpoint: string;
  readonly alarms: readonly Alarm[];
}

export function OpenAlarms({ endpoint, alarms }: Props) {
  const open = openAlarms(endpoint, alarms);
  if (open.length === 0) return null;
  return (
    <Alert type="error" header={`${open.length === 1 ? 'Alarm' : 'Alarms'}: ${open.map(alarmWord).join(', ')}`}>
      <SpaceBetween size="s">
        {open.map((alarm) => (
          <div key={alarm.fullName}>
            <AlarmText alarm={alarm} />
          </div>
        ))}
      </SpaceBetween>
    </Alert>
  );
}
