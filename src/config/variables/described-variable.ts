/** One environment variable as the operator is told of it. */
export type DescribedVariable = {
  /** Of a family, such as `SIGNING_COMMAND_<NAME>`, the operator chooses what follows the prefix. */
  readonly name: string;
  /** In Markdown, beside the name and the default in a table of docs/operating.md. */
  readonly meaning: string;
  /** A value that is accepted, without blanks, quotation marks and signs that a shell or an environment file would read. */
  readonly example: string;
  /** What holds in production when it is not set; null where nothing does. */
  readonly default: string | null;
  /** In the demo environment, where that is another one. */
  readonly demoDefault?: string;
  /** For a default that follows from something else, in Markdown. */
  readonly defaultText?: string;
  /** Production does not start without it. */
  readonly isRequired?: true;
  /** Its value is, or holds, a secret: it is never shown or logged. */
  readonly isSecret?: true;
  /** Production does not read it. */
  readonly isDemoOnly?: true;
};

export type VariableGroup = { readonly title: string; readonly variables: readonly DescribedVariable[] };
