/**
 * Drops late warnings of the AWS SDK about slow requests of an ended test file. Jest would treat one as a test that
 * has not ended, write it to the terminal, and let the process fail.
 */

const OF_THE_SDK = /^@smithy\/node-http-handler - \[WARN\] a request has exceeded/;

type Log = (type: string, message: string) => void;

/** Called when the file has ended. @param fileConsole of the file */
export function ignoreLateWarnings(fileConsole: Console): void {
  const log = Reflect.get(fileConsole, '_log') as Log;
  const logOthers: Log = (type, message) => {
    if (!OF_THE_SDK.test(message)) log(type, message);
  };
  Reflect.set(fileConsole, '_log', logOthers);
}
