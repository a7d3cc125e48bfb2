import { VARIABLE_CATALOGUE } from '../../src/config/variable-catalogue.ts';
import type { DescribedVariable } from '../../src/config/variables/described-variable.ts';

const PLACE = /(<!-- variables: (\w+) [^>]*-->\n).*?(<!-- end of variables -->)/gsu;

/** The page with the tables of all variables in their places, made from the catalogue. */
export function withVariableTables(page: string): string {
  return page.replaceAll(PLACE, (_, begin: string, which: string, end: string) => {
    const text = which === 'required' ? requiredTable() : otherTables();
    return `${begin}\n${text}\n${end}`;
  });
}

function requiredTable(): string {
  const required = VARIABLE_CATALOGUE.flatMap(({ variables }) => variables).filter(({ isRequired }) => isRequired);
  const rows = required.map((one) => `| \`${one.name}\` | ${meaningOf(one)} | \`${one.example}\` |`);
  return `| Variable | Meaning | For example |\n|---|---|---|\n${rows.join('\n')}\n`;
}

function otherTables(): string {
  return VARIABLE_CATALOGUE.map(({ title, variables }) => ({
    title,
    rows: variables
      .filter(({ isRequired }) => !isRequired)
      .map((one) => `| \`${one.name}\` | ${defaultOf(one)} | ${meaningOf(one)} |`),
  }))
    .filter(({ rows }) => rows.length > 0)
    .map(({ title, rows }) => `### ${title}\n\n| Variable | Default | Meaning |\n|---|---|---|\n${rows.join('\n')}\n`)
    .join('\n');
}

function meaningOf({ meaning, isSecret, isRequired, ...others }: DescribedVariable): string {
  const inDemo = isRequired ? (others.defaultText ?? demoDefaultOf(others)) : null;
  const sentences = [meaning, inDemo ?? '', isSecret ? 'secret' : ''];
  return sentences.filter((sentence) => sentence !== '').join('; ');
}

function defaultOf({ default: value, defaultText, ...others }: DescribedVariable): string {
  if (defaultText !== undefined) return defaultText;
  const inDemo = demoDefaultOf(others);
  return [value === null ? 'none' : `\`${value}\``, inDemo ?? ''].filter((part) => part !== '').join(', ');
}

function demoDefaultOf({ demoDefault }: Pick<DescribedVariable, 'demoDefault'>): string | null {
  return demoDefault === undefined ? null : `in the demo \`${demoDefault}\``;
}
