import { readdirSync, readFileSync } from 'node:fs';

const GUIDES = new URL('../../docs/guides/', import.meta.url);

export type Step = {
  /** The heading it stands under. */
  readonly heading: string;
  readonly script: string;
  /** What the page says is printed, line by line, in this order; "…" stands for anything. Empty where it says nothing. */
  readonly shown: readonly string[];
};

export type Guide = { readonly name: string; readonly text: string; readonly steps: readonly Step[] };

const PIECE = /^(?:```bash\n(?<script>.*?)\n```|```text\n(?<output>.*?)\n```|#+ (?<heading>[^\n]+))$/gmsu;

/** The guides with the commands that a reader is invited to paste, and what he is told to see. */
export function guides(): readonly Guide[] {
  const names = readdirSync(GUIDES).filter((name) => name.endsWith('.md'));
  return names.toSorted().map((name) => {
    const text = readFileSync(new URL(name, GUIDES), 'utf8');
    return { name, text, steps: stepsOf(text) };
  });
}

function stepsOf(text: string): readonly Step[] {
  const steps: Step[] = [];
  let place = '';
  for (const { groups } of text.matchAll(PIECE)) {
    const { script, output, heading } = groups ?? {};
    if (heading !== undefined) place = heading;
    if (script !== undefined) steps.push({ heading: place, script, shown: [] });
    const last = steps.at(-1);
    if (output !== undefined && last !== undefined) steps[steps.length - 1] = { ...last, shown: output.split('\n') };
  }
  return steps;
}

/** Whether the output has what the page shows, in its order. */
export function isShown(shown: readonly string[], output: string): boolean {
  const lines = shown.map((line) =>
    line
      .split('…')
      .map((piece) => RegExp.escape(piece.trim()))
      .join('[^\\n]*?'),
  );
  return new RegExp(lines.join('[^]*?'), 'u').test(output);
}
