/**
 * Reads the errors of workers: an exception as RunPod's SDK sends it, which is JSON text, or a traceback as Python prints
 * it. Any other text is a message.
 */
export interface WorkerError {
  /** Message of the exception, or the whole text. */
  readonly message: string;
  /** Class of the exception, such as `ValueError`. */
  readonly type?: string;
  readonly traceback?: string;
  /** Names and values of what the SDK says about its worker. */
  readonly origin: readonly (readonly [name: string, value: string])[];
}

/** Maximum characters of a text that is read on the page. Those of exceptions are much shorter. */
const MAX_LENGTH = 1_000_000;

/** A class as Python prints it, such as `<class 'ValueError'>`. */
const CLASS = /^<class '(?<name>[^']+)'>$/;

const TRACEBACK = 'Traceback (most recent call last)';

/** The end of a traceback: class and message of the exception. */
const EXCEPTION = /^(?<type>[A-Za-z_][\w.]*): (?<message>.*)$/s;

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && value !== 'unknown' ? value : undefined;

function membersOf(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}

function fromSdk(text: string): WorkerError | undefined {
  const { error_type, error_message, error_traceback, hostname, worker_id, runpod_version } = membersOf(text) ?? {};
  if (typeof error_message !== 'string' || typeof error_type !== 'string') return undefined;
  const version = textIn(runpod_version);
  const origin = [
    ['Host', textIn(hostname)],
    ['Worker', textIn(worker_id)],
    ['SDK', version && `runpod ${version}`],
  ] as const;
  const traceback = textIn(error_traceback)?.trimEnd();
  return {
    message: error_message,
    type: CLASS.exec(error_type)?.groups?.name ?? error_type,
    ...(traceback && { traceback }),
    origin: origin.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  };
}

function fromTraceback(text: string): WorkerError | undefined {
  if (!text.startsWith(TRACEBACK)) return undefined;
  const traceback = text.trimEnd();
  const lines = traceback.split('\n');
  // Frames are indented, and the exception after them is not.
  const exception = lines.slice(lines.findLastIndex((line) => line.startsWith('  ')) + 1).join('\n');
  if (exception === '' || exception === traceback) return undefined;
  const { type, message = exception } = EXCEPTION.exec(exception)?.groups ?? {};
  return { message, ...(type !== undefined && { type }), traceback, origin: [] };
}

/** @param error member `error` of a job record, which can be any JSON */
export function workerError(error: unknown): WorkerError {
  const text = typeof error === 'string' ? error : String(JSON.stringify(error));
  const plain = { message: text, origin: [] };
  if (text.length > MAX_LENGTH) return plain;
  return fromSdk(text) ?? fromTraceback(text) ?? plain;
}
