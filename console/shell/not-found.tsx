/** The page of an address that the console does not have. */
import Alert from '@cloudscape-design/components/alert';
import { useLocation } from 'wouter';
import { Link } from './link.tsx';
import { paths } from './paths.ts';
import { useTitle } from './title.ts';

export function NotFound() {
  const [path] = useLocation();
  useTitle('Not found');
  return (
    <Alert type="warning" header="The console has no such page">
      There is nothing at <code>{path}</code>. <Link to={paths.overview()}>Show all endpoints</Link>
    </Alert>
  );
}
