/** A command whose errors do not repeat what the user typed as a value, because it can be a secret. */
import { Command, type ErrorOptions } from 'commander';

/** Returns the name of an unknown option from the error of commander, which also has its value. */
const nameIn = (message: string) => /'(--[^=\s]*|-.)/.exec(message)?.[1]?.replace(/'$/, '');

const UNKNOWN_OPTION = 'commander.unknownOption';

/** Returns the words that run a command. */
const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();

export class DiscreetCommand extends Command {
  override createCommand(name?: string): DiscreetCommand {
    return new DiscreetCommand(name);
  }

  override copyInheritedSettings(source: Command): this {
    super.copyInheritedSettings(source);
    return this.showHelpAfterError(`(npx ${pathOf(this)} --help describes the command)`);
  }

  override error(message: string, options?: ErrorOptions): never {
    const isMissing = options?.code === 'commander.missingMandatoryOptionValue';
    const cause = isMissing ? this.#refusedArgument() : undefined;
    return super.error(`${cause ? `${cause}\n` : ''}${this.#withoutValues(message, options?.code)}`, options);
  }

  /** Returns the error for arguments that commander only checks after required options, whose place they can be in. */
  #refusedArgument(): string | undefined {
    const option = this.args.find((arg) => /^-./.test(arg));
    if (option !== undefined) return this.#withoutValues(`error: unknown option '${option}'`, UNKNOWN_OPTION);
    const { length } = this.registeredArguments;
    return this.args.length > length
      ? `error: too many arguments for '${this.name()}'. Expected ${length} but got ${this.args.length}.`
      : undefined;
  }

  #withoutValues(message: string, code: string | undefined): string {
    if (code === 'commander.excessArguments') return message.replace(/( but got \d+): .*$/s, '$1.');
    if (code !== UNKNOWN_OPTION) return message;
    const name = nameIn(message) ?? '';
    if (this.options.some(({ short, long }) => name === short || name === long))
      return `error: option '${name}' takes no value`;
    const [suggestion = ''] = /\n\(Did you mean [^()]*\)$/.exec(message) ?? [];
    return `error: unknown option '${name}'${suggestion}`;
  }
}
