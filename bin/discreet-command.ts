/** A command whose errors do not repeat what the user typed as a value, because it can be a secret. */
import { Command, type ErrorOptions } from 'commander';

/** Returns the name of an unknown option from the error of commander, which also has its value. */
const nameIn = (message: string) => /'(--[^=\s]*|-.)/.exec(message)?.[1]?.replace(/'$/, '');

export class DiscreetCommand extends Command {
  override createCommand(name?: string): DiscreetCommand {
    return new DiscreetCommand(name);
  }

  override error(message: string, options?: ErrorOptions): never {
    return super.error(this.#withoutValues(message, options?.code), options);
  }

  #withoutValues(message: string, code: string | undefined): string {
    if (code === 'commander.excessArguments') return message.replace(/( but got \d+): .*$/s, '$1.');
    if (code !== 'commander.unknownOption') return message;
    const name = nameIn(message) ?? '';
    if (this.options.some(({ short, long }) => name === short || name === long))
      return `error: option '${name}' takes no value`;
    const [suggestion = ''] = /\n\(Did you mean [^()]*\)$/.exec(message) ?? [];
    return `error: unknown option '${name}'${suggestion}`;
  }
}
