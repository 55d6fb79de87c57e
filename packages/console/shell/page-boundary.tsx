/** Keeps the frame of the console when a page fails. Shows the error and a button that renders the page again. */
import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { Component, type ReactNode } from 'react';

interface Props {
  readonly children: ReactNode;
}

interface State {
  readonly error?: unknown;
}

/** Pass the path as `key`, so that another page starts without the error. */
export class PageBoundary extends Component<Props, State> {
  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override state: State = {};

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <Alert
        type="error"
        header="This page has failed"
        action={
          <SpaceBetween direction="horizontal" size="xs">
            <Button onClick={() => this.setState({ error: undefined })}>Try again</Button>
            <Button onClick={() => location.reload()}>Reload the console</Button>
          </SpaceBetween>
        }
      >
        {error instanceof Error ? error.message : String(error)} If a new version of the console was deployed, reload
        it.
      </Alert>
    );
  }
}
