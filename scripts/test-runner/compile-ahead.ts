import { globSync } from 'node:fs';

/**
 * Compiles the program for all processes that follow: Node keeps compiled code for others when a process ends. Test processes start at the
 * same time and run for minutes, so each of them, and each service that they start, would do this by itself.
 */
const NOT_IMPORTED = ['**/main.ts', '**/*-thread.ts', 'src/http/pages/assets/**'];

for (const file of globSync(['src/**/*.ts', 'simulator/**/*.ts'], { exclude: NOT_IMPORTED })) {
  await import(new URL(`../../${file}`, import.meta.url).href);
}
process.exit();
