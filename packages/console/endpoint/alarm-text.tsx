/** Says what an alarm means, since when it has gone off and why, and what to do. */
import Box from '@cloudscape-design/components/box';
import type { Alarm } from '../api/management-types.ts';
import { Time } from '../shell/time.tsx';

export function AlarmText({ alarm: { description, reason, since, runbook } }: { readonly alarm: Alarm }) {
  return (
    <>
      <div className="anywhere">{description}</div>
      <Box color="text-body-secondary">
        Since <Time at={since} />: <span className="anywhere">{reason}</span>
      </Box>
      {runbook !== undefined && (
        <div className="anywhere">
          <b>What to do:</b> <code>{runbook}</code>
        </div>
      )}
    </>
  );
}
