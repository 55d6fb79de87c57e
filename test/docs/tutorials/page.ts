/**
 * Reads a tutorial as its reader does: what to type in which terminal, which files to save, what each terminal prints,
 * and when to press Ctrl-C. The section "Tutorials" of `docs/guides/testing.md` lists the conventions.
 */

interface AtLine {
  /** Line of the page, from 1. */
  readonly line: number;
}

interface InTerminal extends AtLine {
  readonly terminal: number;
}

/** Lines to type. */
export interface Typed extends InTerminal {
  readonly does: 'type';
  readonly text: string;
  /** Whether the last command runs until Ctrl-C. */
  readonly goesOn: boolean;
}

/** What the terminal prints. */
export interface Seen extends InTerminal {
  readonly does: 'see';
  readonly text: string;
}

export interface Saved extends AtLine {
  readonly does: 'save';
  /** Relative to the folder of the clone. */
  readonly path: string;
  readonly text: string;
}

export interface Interrupted extends InTerminal {
  readonly does: 'interrupt';
}

/** A program that the page does not save as a file. Another test must run it. */
export interface Program extends AtLine {
  readonly does: 'show';
  readonly language: string;
  readonly text: string;
}

export type Step = Typed | Seen | Saved | Interrupted | Program;

/** A step before its place among the other steps is known. */
type Read = Omit<Typed, 'goesOn'> | Exclude<Step, Typed>;

const FENCE = /^( *)(`{3,})(\w*)[^\n]*\n(.*?)^\1\2 *$/gms;
const TERMINAL = /^# terminal (\d+)$/;
const PATH = /^(?:#|\/\/) ((?:[\w.-]+\/)*(?:[\w-]*\.[\w.-]+|Dockerfile))$/;
const NAMED = /\bterminal (\d+)\b/gi;
const INTERRUPT = /\bPress Ctrl-C in terminal (\d+)\b/g;

const numbersIn = (text: string, pattern: RegExp) =>
  [...text.replaceAll(/\s+/g, ' ').matchAll(pattern)].map(([, number]) => Number(number));

const lineAt = (page: string, index: number) => page.slice(0, index).split('\n').length;

const withoutIndent = (text: string, indent: string) => text.replaceAll(new RegExp(`^${indent}`, 'gm'), '');

/**
 * Reads the steps without `goesOn`.
 * @throws Error if the page shows output before a command
 */
function* read(page: string): Generator<Read> {
  let end = 0;
  let terminal = 1;
  let isCommandBefore = false;

  function* interruptsIn(prose: string, line: number): Generator<Interrupted> {
    for (const number of numbersIn(prose, INTERRUPT)) yield { does: 'interrupt', line, terminal: number };
  }

  for (const { 0: block, 1: indent = '', 3: language = '', 4: content = '', index } of page.matchAll(FENCE)) {
    const prose = page.slice(end, index);
    const line = lineAt(page, index) + 1;
    end = index + block.length;
    yield* interruptsIn(prose, line);
    const text = withoutIndent(content, indent);
    const [first = ''] = text.split('\n');
    const [, path] = PATH.exec(first) ?? [];
    if (path !== undefined) {
      yield { does: 'save', line, path, text };
    } else if (language === 'sh') {
      terminal = Number(TERMINAL.exec(first)?.[1] ?? terminal);
      isCommandBefore = true;
      yield { does: 'type', line, terminal, text };
    } else if (language === 'text' || language === 'json') {
      const named = numbersIn(prose.trim().split('\n\n').at(-1) ?? '', NAMED).at(-1) ?? terminal;
      if (!isCommandBefore) throw new Error(`Line ${line} shows output, but no command is before it.`);
      yield { does: 'see', line, terminal: named, text };
    } else {
      yield { does: 'show', line, language, text };
    }
  }
  yield* interruptsIn(page.slice(end), lineAt(page, end));
}

/** Whether the next thing that the reader does in the terminal of the step is to press Ctrl-C. */
function goesOn(steps: readonly Read[], at: number): boolean {
  const step = steps[at];
  const next = steps
    .slice(at + 1)
    .find((other) => (other.does === 'type' || other.does === 'interrupt') && other.terminal === terminalOf(step));
  return next?.does === 'interrupt';
}

const terminalOf = (step: Read | undefined) => (step && 'terminal' in step ? step.terminal : undefined);

/** Returns the steps of the page, in the order in which the reader takes them. */
export function stepsOf(page: string): Step[] {
  const steps = [...read(page)];
  return steps.map((step, at) => (step.does === 'type' ? { ...step, goesOn: goesOn(steps, at) } : step));
}

export const linesOf = ({ text }: Pick<Typed, 'text'>): string[] => text.replace(/\n$/, '').split('\n');
