/** Placeholder for a template, with the usual height, so that nothing moves when the template has loaded. */
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import Skeleton from '@cloudscape-design/components/skeleton';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';

export function TemplateSkeleton({ name }: { readonly name: string }) {
  return (
    <SpaceBetween size="l">
      <Header variant="h1">{name}</Header>
      {['Settings', 'Endpoints that use this template'].map((title) => (
        <Container key={title} header={<Header variant="h2">{title}</Header>}>
          <SpaceBetween size="m">
            <StatusIndicator type="loading">Loading</StatusIndicator>
            <Skeleton height="220px" />
          </SpaceBetween>
        </Container>
      ))}
    </SpaceBetween>
  );
}
