/**
 * The AWS SDK warns that a request is slow, also when the test file that has sent it has ended. Jest takes that for a test
 * that has not ended, writes it to the terminal, and has the process fail.
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
