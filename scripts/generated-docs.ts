import { readFile } from 'node:fs/promises';
import { type CatalogueRow, ERROR_CODES, PROBLEM_CATALOGUE } from '../src/application/errors/problem-catalogue.ts';
import { DEMO_URL, demonstration } from '../src/http/answers/demonstrations.ts';
import { API_ROOT } from '../src/http/api.ts';
import { generateDescriptions } from '../src/http/server.ts';
import { authorityDocumentPage } from './authority-document-page.ts';
import { brunoCollection } from './bruno-collection.ts';
import { clientTypes } from './client-types.ts';
import { conversionPage } from './conversion-page/conversion-page.ts';
import type { Description } from './described-calls.ts';
import { exampleEnvironment } from './variables/example-environment.ts';
import { withVariableTables } from './variables/variable-tables.ts';

const DEMO_BASE = `${DEMO_URL}${API_ROOT}`;

/** The files made from the code, by their place in the project. A test fails when the committed ones differ. */
export async function generatedDocs(): Promise<Readonly<Record<string, string>>> {
  const { integration, extensions } = await generateDescriptions();
  const both = [integration as Description, extensions as Description] as const;
  return {
    'openapi.json': `${JSON.stringify(integration, null, 2)}\n`,
    'openapi-extensions.json': `${JSON.stringify(extensions, null, 2)}\n`,
    'docs/errors.md': errorsPage(),
    'docs/guides/conversion.md': conversionPage(),
    ...below('client/src/generated', clientTypes(...both)),
    ...below('examples/bruno', brunoCollection(...both)),
    'docs/authority-document.md': authorityDocumentPage(),
    'docs/operating.md': withVariableTables(await committed('docs/operating.md')),
    'deploy/example.env': exampleEnvironment(),
  };
}

/** Of a page that is written by hand only the tables are made. */
function committed(file: string): Promise<string> {
  return readFile(new URL(`../${file}`, import.meta.url), 'utf8');
}

function below(folder: string, files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
}

function errorsPage(): string {
  const sections = ERROR_CODES.map((code) => {
    const row: CatalogueRow = PROBLEM_CATALOGUE[code];
    return `## ${code}

**${row.title}** HTTP ${row.status}

${row.happened}

*What to do:* ${row.remedy}

*Is a retry useful?* ${row.retry}

\`\`\`bash
${demonstration(code, DEMO_BASE)}
\`\`\`
`;
  });
  return `# Error catalogue

Every error answer is \`application/problem+json\` with six fields: \`type\`, \`title\`, \`status\`, \`detail\`, \`code\`, \`eventId\`.
Match on \`code\`, never on text. What the catalogue does not name (an unknown address, a wrong method, a value that cannot
be read) has \`code\` null and \`type\` \`about:blank\`. The service shows these pages at \`/errors\`.

Each command below shows its code in the demo environment: run \`npm start\`, then paste it in the project's folder.
This page is made from the code by \`npm run docs\`.

${sections.join('\n')}`;
}
