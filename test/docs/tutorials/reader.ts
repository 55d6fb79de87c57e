/** A reader who follows a tutorial word for word, in a copy of this repository. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { eventually } from '../../acceptance/local-service.ts';
import { problemsOf } from './dockerfile.ts';
import { isWhole, lengthOf } from './output.ts';
import { linesOf, type Saved, type Seen, type Step, type Typed } from './page.ts';
import { afterRules } from './rules.ts';
import { openTerminal, type Terminal } from './terminal.ts';

export interface Place {
  /** Folder of the copy. */
  readonly folder: string;
  /** Variables of the terminals, with `PORT`. */
  readonly env: NodeJS.ProcessEnv;
  /** Commands that are not run, each with its reason. */
  readonly notRun?: Readonly<Record<string, string>>;
}

/** The port of `npm start` on the pages. */
const PORT_OF_PAGES = 3000;
/** Milliseconds in which a command must print or end, on a busy machine. */
const PATIENCE = 300_000;

const COMMENT = /^\s*(?:#|$)/;

const endOf = (terminal: Terminal) => {
  const prompt = terminal.prompt();
  return prompt?.exitCode ? `\nThe command exited with ${prompt.exitCode}.` : '';
};

const quoted = (text: string) => text.trim().replaceAll(/^/gm, '  | ');

export class Reader {
  readonly #place: Place;
  readonly #terminals = new Map<number, Terminal>();

  constructor(place: Place) {
    this.#place = place;
  }

  /**
   * Takes the steps of a page.
   * @throws Error with the line of the page and what was seen instead
   */
  async follow(page: string, steps: readonly Step[]): Promise<void> {
    for (const [at, step] of steps.entries())
      try {
        await this.#take(step, steps[at + 1]);
      } catch (error) {
        throw new Error(`${page}:${step.line}: ${(error as Error).message}`, { cause: error });
      }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#terminals.values()].map((terminal) => terminal.close()));
  }

  async #take(step: Step, next: Step | undefined): Promise<void> {
    if (step.does === 'save') return this.#save(step);
    if (step.does === 'show') throw new Error(`No rule says how a block in ${step.language} is run.`);
    const terminal = await this.#terminal(step.terminal);
    if (step.does === 'see') return this.#see(step, terminal);
    if (step.does === 'interrupt') return this.#interrupt(terminal);
    await this.#type(step, terminal);
    const isShown = next?.does === 'see' && next.terminal === step.terminal;
    if (step.goesOn && !isShown) throw new Error('The page does not show what this command prints until it is ready.');
    if (!isShown) terminal.read();
  }

  #withPort(text: string): string {
    return text.replaceAll(`:${PORT_OF_PAGES}`, `:${this.#place.env.PORT}`);
  }

  async #terminal(number: number): Promise<Terminal> {
    const { folder, env } = this.#place;
    const terminal = this.#terminals.get(number) ?? (await openTerminal(folder, env));
    this.#terminals.set(number, terminal);
    return terminal;
  }

  #save({ path, text }: Saved): void {
    const file = join(this.#place.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    const problems = path.endsWith('Dockerfile') ? problemsOf(text, this.#place.folder) : [];
    if (problems.length > 0) throw new Error(`${path}: ${problems.join('; ')}.`);
  }

  async #type(step: Typed, terminal: Terminal): Promise<void> {
    terminal.read();
    const lines = linesOf(step);
    for (const [n, line] of lines.entries()) {
      // A comment does not change the exit code, which can be the one of an interrupted command.
      if (terminal.prompt()?.exitCode !== undefined && COMMENT.test(line)) continue;
      if (line in (this.#place.notRun ?? {})) continue;
      const typed = await afterRules(this.#withPort(line));
      if (typed === undefined) continue;
      terminal.type(typed);
      if (step.goesOn && n === lines.length - 1) return;
      await this.#promptAfter(line, terminal);
    }
  }

  /**
   * Waits until Bash is ready for the next line.
   * @throws Error if the command fails
   */
  async #promptAfter(line: string, terminal: Terminal): Promise<void> {
    const { exitCode } = await eventually('', () => terminal.prompt(), { within: PATIENCE }).catch(() => {
      throw new Error(`\`${line}\` has not ended. It printed:\n${quoted(terminal.unread())}`);
    });
    if (exitCode) throw new Error(`\`${line}\` exited with ${exitCode}. It printed:\n${quoted(terminal.unread())}`);
  }

  async #see(step: Seen, terminal: Terminal): Promise<void> {
    const shown = this.#withPort(step.text);
    const differs = () =>
      new Error(
        `The page shows:\n${quoted(shown)}\nTerminal ${step.terminal} has printed:\n${quoted(terminal.unread())}${endOf(terminal)}`,
      );
    if (terminal.prompt()) {
      if (!isWhole(shown, terminal.unread())) throw differs();
      return terminal.read();
    }
    const look = () => {
      const length = lengthOf(shown, terminal.unread());
      if (length === undefined && terminal.prompt()) throw differs();
      return length;
    };
    terminal.read(
      await eventually('', look, { within: PATIENCE }).catch(() => {
        throw differs();
      }),
    );
  }

  async #interrupt(terminal: Terminal): Promise<void> {
    if (terminal.prompt())
      throw new Error(`No command runs in this terminal. It has printed:\n${quoted(terminal.unread())}`);
    terminal.read();
    terminal.interrupt();
    await eventually('', () => terminal.prompt(), { within: PATIENCE }).catch(() => {
      throw new Error(`Ctrl-C has not ended the command. The terminal printed:\n${quoted(terminal.unread())}`);
    });
  }
}
