export type BashBlock = {
  /** The heading it stands under. */
  readonly heading: string;
  /** The last line of text before it. */
  readonly introduction: string;
  readonly script: string;
};

const PIECE = /^(?:```(?<language>\S*)\n(?<script>.*?)\n```|#+ (?<heading>[^\n]+)|(?<text>[^\n]+))$/gmsu;

/** The blocks of a page that a reader is invited to paste into a terminal. */
export function bashBlocks(page: string): BashBlock[] {
  const blocks: BashBlock[] = [];
  let place = { heading: '', introduction: '' };
  for (const { groups } of page.matchAll(PIECE)) {
    const { language, script = '', heading, text } = groups ?? {};
    if (heading !== undefined) place = { heading, introduction: '' };
    if (text !== undefined) place = { ...place, introduction: text };
    if (language === 'bash') blocks.push({ ...place, script });
  }
  return blocks;
}
