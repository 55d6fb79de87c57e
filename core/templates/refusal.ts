/** What a file in Git asks of templates and cannot have; the message is a sentence that says why. */
export class TemplateRefused extends Error {}
