/** Prints the messages of CDK's toolkit library for people, and answers its questions. */
import { type IoMessage, type IoRequest, NonInteractiveIoHost, PermissionChangeType } from '@aws-cdk/toolkit-lib';
import pLimit from 'p-limit';
import { type Ask, agrees } from '../terminal.ts';

/** Codes of messages: https://docs.aws.amazon.com/cdk/api/toolkit-lib/message-registry/. */
const DEPLOY_CHANGES = 'CDK_TOOLKIT_I5060';
/** The library measures only that it reads an assembly that is synthesized already. */
const SYNTHESIS_TIME = 'CDK_TOOLKIT_I1000';
/** Start of the line that the CDK prints for each of the many functions. */
const BUNDLING = 'Bundling asset ';

/** Returns whether to ask. Of the changes of a deployment, only broader permissions need an approval, as in `cdk deploy`. */
const needsApproval = ({ code, data }: IoMessage<unknown>) =>
  code !== DEPLOY_CHANGES ||
  (data as { readonly permissionChangeType?: unknown }).permissionChangeType === PermissionChangeType.BROADENING;

export class TerminalHost extends NonInteractiveIoHost {
  #hasRefused = false;
  readonly #yes: boolean;
  readonly #ask: Ask | undefined;
  /** The library deploys several stacks at the same time, but a terminal shows one question. */
  readonly #one = pLimit(1);

  /**
   * @param yes whether every question is answered with yes, without asking
   * @param ask undefined without a terminal
   */
  constructor({ yes, ask }: { readonly yes: boolean; readonly ask: Ask | undefined }) {
    super();
    this.#yes = yes;
    this.#ask = ask;
  }

  /** Whether the user has refused a question, or could not be asked. */
  get hasRefused(): boolean {
    return this.#hasRefused;
  }

  override async notify(message: IoMessage<unknown>): Promise<void> {
    if (message.code !== SYNTHESIS_TIME && !message.message.startsWith(BUNDLING)) await super.notify(message);
  }

  override requestResponse<Data, Response>(request: IoRequest<Data, Response>): Promise<Response> {
    return this.#one(() => this.#answer(request)) as Promise<Response>;
  }

  async #answer(request: IoRequest<unknown, unknown>): Promise<unknown> {
    const { message, defaultResponse } = request;
    // The code of a device for multi-factor authentication is text.
    if (typeof defaultResponse === 'string') return this.#ask?.(`${message}: `) ?? defaultResponse;
    if (this.#yes || !needsApproval(request)) return true;
    console.error(message);
    if (!this.#ask) console.error('There is no terminal to ask on. Use --yes to agree.');
    const isAgreed = await agrees(this.#ask, 'continue');
    this.#hasRefused ||= !isAgreed;
    return isAgreed;
  }
}
