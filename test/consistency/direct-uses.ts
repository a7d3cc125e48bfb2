import { importsOf } from './import-rules.ts';
import type { SourceFile } from './source-files.ts';

/** The two files that turn to Node for time and randomness; everything else takes them as a need. */
const SYSTEM_FILES = ['src/adapters/platform/platform.ts', 'src/adapters/platform/timers.ts'];

/** Where the system's time and randomness are put in: the composition, the process, and the first file of a thread. */
const COMPOSING =
  /^src\/(?:app\/(?:system-platform|foundation)\.ts|main\.ts|main\/[\w-]+\.ts|adapters\/.+-thread\.ts)$/u;

/** A name that is no member of something else: `socket.setTimeout` is another thing. */
const bare = (names: string) => new RegExp(String.raw`(?<![\w$.])(?:${names})(?![\w$])`, 'gu');

const FORBIDDEN: readonly RegExp[] = [
  bare('setTimeout|setInterval|setImmediate|clearTimeout|clearInterval|clearImmediate'),
  bare(String.raw`performance|globalThis|global\s*\.\s*\w+`),
  bare(String.raw`Date\s*\.\s*now|Math\s*\.\s*random|AbortSignal\s*\.\s*timeout|Temporal\s*\.\s*Now`),
  bare(String.raw`process\s*\.\s*(?:hrtime|uptime)`),
  // Without an argument it is the present moment, as it is when it is called without `new`.
  /\bnew\s+Date(?:\s*\(\s*\)|(?!\s*\(|\w))/gu,
  /(?<!\bnew\s+)(?<![\w$.])Date\s*\(/gu,
  /\.\s*format(?:ToParts)?\s*\(\s*\)/gu,
  // Functions that are taken out of these objects.
  /=\s*(?:Date|Math|AbortSignal|process)\s*[;,)]/gu,
  /\b(?:getRandomValues|random(?:Bytes|Fill|FillSync|Int|UUID)|webcrypto)\b/gu,
];

const FORBIDDEN_MODULES = /^(?:node:)?(?:timers(?:\/promises)?|perf_hooks)$/u;

const COMPOSED = /\bsystem(?:Clock|Timers|Random|Platform)\b/gu;

/** Every use of the system's time or randomness that does not come through a port, in sentences. */
export function directUses(files: readonly SourceFile[]): readonly string[] {
  return files
    .filter(({ path }) => !SYSTEM_FILES.includes(path))
    .flatMap(({ path, text }) => {
      const code = withoutComments(text);
      const found = FORBIDDEN.flatMap((pattern) => [...code.matchAll(pattern)].map(([use]) => use));
      const modules = importsOf(code).filter(({ from }) => FORBIDDEN_MODULES.test(from));
      const composed = COMPOSING.test(path) ? [] : [...code.matchAll(COMPOSED)].map(([use]) => use);
      const uses = [...found, ...modules.map(({ from }) => from), ...composed];
      return uses.map((use) => `${path} uses ${use.trim()}: time and randomness come through ports`);
    });
}

/** Comments may name what is forbidden; `://` is part of an address, not the start of a comment. */
function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//gu, '').replaceAll(/(?<!:)\/\/.*$/gmu, '');
}
