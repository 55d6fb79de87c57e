/** Shows the numbers of the charts in a table. */
import type { ChartData } from '../../charts/data.ts';
import { Time } from '../../shell/time.tsx';

interface Props {
  readonly charts: readonly ChartData[];
  readonly starts: readonly number[];
}

export function SeriesTable({ charts, starts }: Props) {
  const columns = charts.flatMap(({ title, series, format }) =>
    series.map(({ title: name, values, total }) => ({ id: `${title}: ${name}`, title, name, values, total, format })),
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
    <section className="series-table" aria-label="Numbers of the charts" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">From</th>
            {columns.map(({ id, title, name }) => (
              <th key={id} scope="col">
                {title}
                <br />
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">All</th>
            {columns.map(({ id, total, format }) => (
              <td key={id}>{total === undefined ? '-' : format(total)}</td>
            ))}
          </tr>
          {starts.map((start, index) => (
            <tr key={start}>
              <th scope="row">
                <Time at={start} />
              </th>
              {columns.map(({ id, values, format }) => {
                const value = values[index];
                return <td key={id}>{value === undefined ? '-' : format(value)}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
