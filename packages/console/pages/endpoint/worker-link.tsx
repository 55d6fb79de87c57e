/** Links to the page of a worker by the beginning of its id. */
import { Link } from '../../shell/link.tsx';
import { paths } from '../../shell/paths.ts';

/** Number of characters that distinguish the ids of workers. */
const SHOWN = 12;

interface Props {
  readonly endpoint: string;
  readonly worker: string;
  /** Shows the whole id. */
  readonly whole?: boolean;
}

export const WorkerLink = ({ endpoint, worker, whole = false }: Props) => (
  <Link to={paths.worker(endpoint, worker)}>
    <span className="id" title={worker}>
      {whole || worker.length <= SHOWN ? worker : `${worker.slice(0, SHOWN)}…`}
    </span>
  </Link>
);
