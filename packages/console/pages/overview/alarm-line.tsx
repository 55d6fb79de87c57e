/** Shows the alarms that have gone off in one line above the table. */
import Popover from '@cloudscape-design/components/popover';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { Alarm } from '../../api/management-types.ts';
import { alarmWord, isGoneOff } from '../../endpoint/alarm.ts';
import { AlarmText } from '../../endpoint/alarm-text.tsx';
import { Link } from '../../shell/link.tsx';
import { paths } from '../../shell/paths.ts';

interface Props {
  /** Undefined until they are read. */
  readonly alarms: readonly Alarm[] | undefined;
  readonly error: unknown;
}

/** Alarms in the line; the others are only counted. */
const SHOWN = 6;

function GoneOff({ alarm }: { readonly alarm: Alarm }) {
  const { endpoint, name } = alarm;
  return (
    <Popover
      header={name}
      size="large"
      fixedWidth
      triggerType="text"
      dismissAriaLabel="Close"
      content={
        <SpaceBetween size="xs">
          <AlarmText alarm={alarm} />
          {endpoint !== undefined && <Link to={paths.endpoint(endpoint)}>Open {endpoint}</Link>}
        </SpaceBetween>
      }
    >
      <StatusIndicator type="error" wrapText={false}>
        {alarmWord(alarm)}
        {endpoint !== undefined && `: ${endpoint}`}
      </StatusIndicator>
    </Popover>
  );
}

function Content({ alarms, error }: Props) {
  if (!alarms) return error === null ? 'Loading' : 'The alarms cannot be read.';
  const goneOff = alarms.filter(isGoneOff);
  const silent = alarms.filter(({ state }) => state === 'INSUFFICIENT_DATA').length;
  const rest = `${goneOff.length === 0 ? 'None of' : `${goneOff.length} of`} ${alarms.length}${silent > 0 ? `, ${silent} without data` : ''}`;
  return (
    <>
      <span className="quiet">{rest}</span>
      {goneOff.slice(0, SHOWN).map((alarm) => (
        <GoneOff key={alarm.fullName} alarm={alarm} />
      ))}
      {goneOff.length > SHOWN && <span className="quiet">and {goneOff.length - SHOWN} more</span>}
    </>
  );
}

export default function AlarmLine(props: Props) {
  return (
    <div className="alarms">
      <b>Alarms</b> <Content {...props} />
    </div>
  );
}
