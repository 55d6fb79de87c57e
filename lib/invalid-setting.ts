/** A setting of `cdk.json`, or of `-c` on the command line, that says nothing sensible. */
export class InvalidSetting extends Error {}
