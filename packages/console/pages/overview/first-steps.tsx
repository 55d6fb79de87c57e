/** Shows the first steps: declare an endpoint, then send it a job. */
import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { firstCall } from '../../endpoint/first-call.ts';
import { Command } from '../../shell/command.tsx';
import { Link } from '../../shell/link.tsx';
import { paths } from '../../shell/paths.ts';

const EXAMPLE = 'my-endpoint';

const declaration = [
  `# endpoints/${EXAMPLE}.yaml: the name of the file is the id of the endpoint`,
  'image: registry.example/my-worker:1',
  'maxWorkers: 3',
].join('\n');

const deployment = 'npx cdk deploy --all --outputs-file outputs.json';

/** Shown if there is no endpoint. */
export function DeclareEndpoint() {
  return (
    <Container
      header={
        <Header variant="h2" description="No endpoint is deployed, or your user has no access. Ask an administrator.">
          No endpoints yet
        </Header>
      }
    >
      <SpaceBetween size="m">
        <div>
          <Box variant="p">
            Endpoints are declared in Git. Add a file to the repository of this deployment; the comments in{' '}
            <code>endpoints/echo.yaml</code> list all settings, and <code>docs/guides/deploy.md</code> explains the
            deployment.
          </Box>
          <Command label="Declaration of an endpoint" text={declaration} />
        </div>
        <div>
          <Box variant="p">Deploy the endpoint:</Box>
          <Command label="Deployment" text={deployment} />
        </div>
        <div>
          <Box variant="p">
            Then send a job to the endpoint. Create a key on the page <Link to={paths.keys()}>API keys</Link>:
          </Box>
          <Command label="First job" text={firstCall(location.origin, EXAMPLE)} />
        </div>
      </SpaceBetween>
    </Container>
  );
}

/** Shown if no endpoint has had a job. */
export function FirstJob({ endpoint }: { readonly endpoint: string }) {
  return (
    <Container
      header={
        <Header variant="h2" description="No endpoint has had a job yet.">
          Run the first job
        </Header>
      }
    >
      <Box variant="p">
        Use the <Link to={paths.playground(endpoint)}>playground of {endpoint}</Link>, or a shell with a key from{' '}
        <Link to={paths.keys()}>API keys</Link> in <code>API_KEY</code>:
      </Box>
      <Command label="First job" text={firstCall(location.origin, endpoint)} />
    </Container>
  );
}
