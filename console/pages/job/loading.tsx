/** The page of a job before its first answer, as high as it will be. */
import './page.css';
import '../../json/json.css';
import Container from '@cloudscape-design/components/container';
import StatusIndicator from '@cloudscape-design/components/status-indicator';

export function Loading() {
  return (
    <>
      <div className="job-loading-state" />
      <Container>
        <div className="job-loading-summary">
          <StatusIndicator type="loading">Loading the job</StatusIndicator>
        </div>
      </Container>
      <div className="job-tabs" />
    </>
  );
}
