/** What is chosen on a page, kept in its address, so that a link shows the same. */
import { useSearchParams } from 'wouter';

/** The value of a parameter of the address, or the usual one. Setting the usual one removes it. */
export function useChoice<T extends string>(
  name: string,
  usual: T,
  choices: readonly T[],
): [T, (value: string) => void] {
  const [parameters, setParameters] = useSearchParams();
  const found = choices.find((choice) => choice === parameters.get(name)) ?? usual;
  const choose = (value: string) =>
    setParameters(
      (before) => {
        const after = new URLSearchParams(before);
        if (value === usual) after.delete(name);
        else after.set(name, value);
        return after;
      },
      { replace: true },
    );
  return [found, choose];
}
