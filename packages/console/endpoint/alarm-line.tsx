/** Shows the alarms that have gone off in one line, whose place is kept while there is none. */
import Popover from '@cloudscape-design/components/popover';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { Alarm } from '../api/management-types.ts';
import { Link } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { alarmWord, isGoneOff } from './alarm.ts';
import { AlarmText } from './alarm-text.tsx';

interface Props {
  /** Undefined until they are read. */
  readonly alarms: readonly Alarm[] | undefined;
  readonly error: unknown;
  /** Whether the alarms are of several endpoints, so that each names its own. */
  readonly named?: boolean;
}

/** Alarms in the line; the others are only counted. */
const SHOWN = 6;

function GoneOff({ alarm, named }: { readonly alarm: Alarm; readonly named: boolean }) {
  const { name } = alarm;
  const endpoint = named ? alarm.endpoint : undefined;
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

function Content({ alarms, error, named = true }: Props) {
  if (!alarms) return error === null ? 'Loading' : 'The alarms cannot be read.';
  const goneOff = alarms.filter(isGoneOff);
  const silent = alarms.filter(({ state }) => state === 'INSUFFICIENT_DATA').length;
  const rest = `${goneOff.length === 0 ? 'None of' : `${goneOff.length} of`} ${alarms.length}${silent > 0 ? `, ${silent} without data` : ''}`;
  return (
    <>
      <span className="quiet">{rest}</span>
      {goneOff.slice(0, SHOWN).map((alarm) => (
        <GoneOff key={alarm.fullName} alarm={alarm} named={named} />
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
