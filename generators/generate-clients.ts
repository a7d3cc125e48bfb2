import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import openapiTS, { astToString } from 'openapi-typescript';

/** Writes `openapi-typescript.ts` and the folder `hey-api` into the folder, with the settings that the generators have by themselves. */
export async function generateClients(description: string, folder: string): Promise<void> {
  await writeFile(join(folder, 'openapi-typescript.ts'), astToString(await openapiTS(JSON.parse(description))));
  const input = join(folder, 'openapi.json');
  await writeFile(input, description);
  await createClient({
    input,
    // Node runs TypeScript as it stands when its imports name the files.
    output: { path: join(folder, 'hey-api'), module: { extension: '.ts' } },
    logs: { level: 'silent' },
    plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
  });
}
