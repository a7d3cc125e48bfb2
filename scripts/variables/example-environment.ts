import { VARIABLE_CATALOGUE } from '../../src/config/variable-catalogue.ts';
import type { DescribedVariable, VariableGroup } from '../../src/config/variables/described-variable.ts';

const LINE_LENGTH = 110;
/** It stands at the beginning: what the other variables may be depends on it. */
const FIRST = 'ENVIRONMENT';

/** The environment file of deploy/: what is required is set, all else is there to be uncommented. */
export function exampleEnvironment(): string {
  const groups = VARIABLE_CATALOGUE.map(({ title, variables }) => ({
    title,
    variables: variables.filter(({ name, isDemoOnly }) => name !== FIRST && !isDemoOnly),
  })).filter(({ variables }) => variables.length > 0);
  return `# The environment of a service in production. Copy it to /etc/dostava/dostava.env, for root alone (chmod 600), and fill it in.
# systemd and compose read it as it is; a shell does so by: set -a; . /etc/dostava/dostava.env; set +a
# Values have no blanks and no quotation marks. docs/operating.md says more. Made from the code by npm run docs.

${FIRST}=production
${groups.map(sectionOf).join('')}`;
}

function sectionOf({ title, variables }: VariableGroup): string {
  return `\n\n# ${title}\n${variables.map(entryOf).join('')}`;
}

function entryOf({ name, meaning, example, isRequired }: DescribedVariable): string {
  const setting = `${name.replace('<NAME>', 'TOKEN')}=${example}`;
  return `\n${commentOf(meaning)}\n${isRequired ? setting : `#${setting}`}\n`;
}

/** Markdown without its signs and without remarks that are but a link, in lines of a comment. */
function commentOf(markdown: string): string {
  const words = markdown
    .replaceAll(/ \(\[[^\]]*\]\([^)]*\)\)/gu, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, '$1')
    .replaceAll('`', '')
    .split(' ');
  const lines: string[] = ['#'];
  for (const word of words) {
    const last = lines.at(-1) ?? '';
    if (last.length + word.length < LINE_LENGTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`# ${word}`);
  }
  return lines.join('\n');
}
