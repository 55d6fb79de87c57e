/** Prints findings for people. */
import type { Finding } from './finding.ts';

const indented = (name: string, text: string | undefined) => (text ? [`           ${name}: ${text}`] : []);

/** Returns the text of checks with the same result, such as all that need credentials. */
function textOf(checks: readonly string[], { level, found, needed, fix }: Finding): string {
  const head = `${level.padEnd(8)}   ${checks.join(', ')}: ${found}`;
  return [head, ...indented('needed', needed), ...indented('fix', fix)].join('\n');
}

/** Returns the texts of the findings, one for all checks with the same result. */
export function textsOf(findings: readonly Finding[]): string[] {
  const groups = Map.groupBy(findings, ({ check: _, ...result }) => JSON.stringify(result));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first
      ? [
          textOf(
            group.map(({ check }) => check),
            first,
          ),
        ]
      : [];
  });
}
