/** Shows how long a job waited and ran, as a bar and as a table. */
import './job.css';
import '../json/json.css';
import { duration } from '../units.ts';
import type { Job } from './job.ts';
import { type Phase, timeline } from './timeline.ts';

const names: Readonly<Record<Phase['kind'], string>> = { waited: 'Waited', ran: 'Ran' };

const timeOf = ({ time, isOpen }: Phase) => `${duration(time)}${isOpen ? ' so far' : ''}`;

export function Phases({ job }: { readonly job: Job }) {
  const phases = timeline(job);
  const summary = phases.map((phase) => `${names[phase.kind].toLowerCase()} ${timeOf(phase)}`).join(', ');
  return (
    <div>
      <div className="phase-bar" role="img" aria-label={`The job ${summary}.`}>
        {phases.map(({ kind, share, isOpen }) => (
          <div key={kind} className={`phase-${kind}${isOpen ? ' phase-open' : ''}`} style={{ flex: `${share} 0 0` }} />
        ))}
      </div>
      <table className="phase-table">
        <thead>
          <tr>
            <th scope="col">Phase</th>
            <th scope="col">Time</th>
            <th scope="col">Detail</th>
          </tr>
        </thead>
        <tbody>
          {phases.map((phase) => (
            <tr key={phase.kind}>
              <th scope="row">
                <span className={`phase-key phase-${phase.kind}`} />
                {names[phase.kind]}
              </th>
              <td>{timeOf(phase)}</td>
              <td>{phase.detail}</td>
            </tr>
          ))}
          {phases.length === 1 && (
            <tr>
              <th scope="row">
                <span className="phase-key" />
                {names.ran}
              </th>
              <td>–</td>
              <td>{job.status === 'IN_QUEUE' ? 'No worker has taken the job yet.' : 'No worker took the job.'}</td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}
