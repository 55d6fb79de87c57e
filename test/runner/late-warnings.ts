/**
 * Drops late warnings of the AWS SDK about slow requests of a finished test file. Jest would treat a warning as a
 * test that is still running, write it to the terminal, and let the process fail.
 */

const OF_THE_SDK = /^@smithy\/node-http-handler - \[WARN\] a request has exceeded/;

type Log = (type: string, message: string) => void;

/**
 * Drops the warnings of a file. Called when the file has finished.
 * @param fileConsole console of the file
 */
export function ignoreLateWarnings(fileConsole: Console): void {
  const log = Reflect.get(fileConsole, '_log') as Log;
  const logOthers: Log = (type, message) => {
    if (!OF_THE_SDK.test(message)) log(type, message);
  };
  Reflect.set(fileConsole, '_log', logOthers);
}
