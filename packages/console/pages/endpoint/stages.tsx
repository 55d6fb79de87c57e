/** Shows the stages of a worker's start as bars on one time axis, in a table. */
import type { Stage } from '../../api/management-types.ts';
import { percent, placeIn } from '../../charts/scale.ts';
import { Time } from '../../shell/time.tsx';
import { duration } from '../../units.ts';

const names: Readonly<Record<Stage['stage'], string>> = {
  QUEUED: 'Until it was requested',
  INSTANCE: 'Until EC2 launched an instance',
  BOOT: 'Until the instance was registered',
  IMAGE: 'Until the images were pulled',
  WORKER: 'Until the container asked for jobs',
  TAKE: 'Until the job started',
};

const endOf = ({ startedAt, duration: length }: Stage) => Date.parse(startedAt) + length;

export function Stages({ stages }: { readonly stages: readonly Stage[] }) {
  const [first] = stages;
  if (!first) return null;
  const span = { from: Date.parse(first.startedAt), to: Math.max(...stages.map(endOf)) };
  return (
    <table className="stages" aria-label="Stages of the start">
      <thead>
        <tr>
          <th scope="col">Stage</th>
          <th scope="col">Began</th>
          <th scope="col">Took</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {stages.map((stage) => (
          <tr key={stage.stage}>
            <th scope="row">{names[stage.stage]}</th>
            <td>
              <Time at={stage.startedAt} short />
            </td>
            <td className="number">{duration(stage.duration)}</td>
            <td className="stages-bars" aria-hidden="true">
              <i
                style={{
                  insetInlineStart: percent(placeIn(span, Date.parse(stage.startedAt))),
                  insetInlineEnd: percent(1 - placeIn(span, endOf(stage))),
                }}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
