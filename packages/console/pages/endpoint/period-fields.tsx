/** Selects the time of the tabs with the keyboard, as dragging over a chart does with the pointer. */
import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { type FormEvent, useState } from 'react';
import { usePreferences } from '../../preference-store.ts';
import { useTimes } from '../../times.ts';
import { type Period, typedTime } from './period.ts';

interface Props {
  readonly period: Period;
  readonly onChange: (since: string | undefined, until: string | undefined) => void;
}

const FORMAT = 'YYYY-MM-DD hh:mm';

/** Pass the period as `key`, so that the fields show a new selection. */
export function PeriodFields({ period: { since, until }, onChange }: Props) {
  const { zone } = usePreferences();
  const { dateAndTime } = useTimes();
  const shown = (at: string | undefined) => (at === undefined ? '' : dateAndTime(at).replace(/:00$/, ''));
  const [typed, setTyped] = useState({ since: shown(since), until: shown(until) });
  const [problem, setProblem] = useState<string | undefined>(undefined);

  function submit(event: FormEvent): void {
    event.preventDefault();
    const [from, to] = [typed.since, typed.until].map((text) => typedTime(text, zone));
    const isEmpty = typed.since.trim() === '';
    if ((!isEmpty && from === undefined) || (typed.until.trim() !== '' && to === undefined))
      setProblem(`Write times as ${FORMAT}.`);
    else if (from !== undefined && to !== undefined && from >= to) setProblem('The start must be before the end.');
    else onChange(from, to);
  }

  return (
    <form className="period" onSubmit={submit}>
      <FormField errorText={problem}>
        <div className="period-fields">
          {(['since', 'until'] as const).map((name) => (
            <div key={name}>
              <span aria-hidden="true">{name === 'since' ? 'From' : 'to'}</span>
              <Input
                value={typed[name]}
                placeholder={name === 'since' ? FORMAT : 'now'}
                ariaLabel={`${name === 'since' ? 'Start' : 'End'} of the time that the tabs show, ${zone === 'utc' ? 'UTC' : 'local time'}`}
                invalid={problem !== undefined}
                onChange={({ detail }) => setTyped({ ...typed, [name]: detail.value })}
              />
            </div>
          ))}
          <Button formAction="submit">Select</Button>
          <Button
            formAction="none"
            disabled={since === undefined && until === undefined}
            onClick={() => onChange(undefined, undefined)}
          >
            Clear
          </Button>
        </div>
      </FormField>
    </form>
  );
}
