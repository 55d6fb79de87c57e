/** Shows a shell command with a button that copies it. */
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';

interface Props {
  readonly text: string;
  /** Label for screen readers, such as `First call`. */
  readonly label: string;
}

export function Command({ text, label }: Props) {
  return (
    <div className="command">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
      <section tabIndex={0} aria-label={label}>
        <pre>{text}</pre>
      </section>
      <CopyToClipboard
        variant="icon"
        copyButtonAriaLabel={`Copy: ${label}`}
        textToCopy={text}
        copySuccessText="Copied"
        copyErrorText="The browser does not allow copying"
      />
    </div>
  );
}
