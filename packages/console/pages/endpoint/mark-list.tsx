/** Lists the marks of the charts, with the time of each. */
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import { Sentence } from '../../endpoint/sentence.tsx';
import { seen } from '../../json/display.ts';
import { Time } from '../../shell/time.tsx';
import { type ListedMark, markKinds } from './marks.ts';

interface Props {
  readonly marks: readonly ListedMark[];
  /** Selects the time since a mark. */
  readonly onSince: (at: number) => void;
}

export function MarkList({ marks, onSince }: Props) {
  if (marks.length === 0) return <Box color="text-body-secondary">No release, condition, alarm or change.</Box>;
  return (
    <ol className="marks" aria-label="Releases, conditions, alarms and changes, newest first">
      {marks.map(({ at, kind, title, detail }) => (
        <li key={`${at} ${title}`}>
          <Time at={at} />
          <b className={`mark-${kind}`}>{markKinds[kind]}</b>
          <span className="anywhere">
            {seen(title)}
            {detail !== undefined && (
              <Box color="text-body-secondary" fontSize="body-s">
                <Sentence text={seen(detail)} />
              </Box>
            )}
          </span>
          <Button variant="inline-link" ariaLabel={`Show since then: ${title}`} onClick={() => onSince(at)}>
            Show since then
          </Button>
        </li>
      ))}
    </ol>
  );
}
