import { shortText } from '../values/one-line-text.ts';

/** Units, currencies, numbers of lines: they stand in narrow columns. */
const MOST_CODE_CHARACTERS = 24;
/** Names, numbers and the like. */
const MOST_CHARACTERS = 300;
/** A note may be a letter of its own; more than two printed pages of it are read in the file. */
const MOST_NOTE_CHARACTERS = 8_000;

/** No language piles up more marks on a letter; dozens of them would cover the lines above and below. */
const PILED_MARKS = /(\p{M}{3})\p{M}+/gu;

/** Everything but lines, of which there is one list: whoever has more of these does not write for people. */
const MOST_MEMBERS = 50;

/** Five thousand lines are two hundred pages, which nobody reads; the stored file has them all. */
export const MOST_LINES = 1_000;

/** Of all texts together, and of those of the lines: what fits into a page that a browser shows at once. */
const MOST_OF_ALL = 500_000;
const MOST_OF_LINES = 300_000;

/** Makes texts and lists of a document fit to be shown, and remembers whether something had to be left out. */
export class ShownTexts {
  #isCut = false;
  #charactersLeft = MOST_OF_ALL;

  get isCut(): boolean {
    return this.#isCut;
  }

  text(value: string | null): string | null {
    return this.#shortened(value, MOST_CHARACTERS);
  }

  code(value: string | null): string | null {
    return this.#shortened(value, MOST_CODE_CHARACTERS);
  }

  note(value: string | null): string | null {
    return this.#shortened(value, MOST_NOTE_CHARACTERS);
  }

  /** Those that are there, in their order. */
  texts(values: readonly (string | null)[]): readonly string[] {
    return this.list(values.filter((one) => one !== null)).flatMap((one) => this.text(one) ?? []);
  }

  notes(values: readonly (string | null)[]): readonly string[] {
    return this.list(values.filter((one) => one !== null)).flatMap((one) => this.note(one) ?? []);
  }

  /** As many lines as there is room for, the first ones. */
  lines<Line, Viewed>(lines: readonly Line[], view: (line: Line) => Viewed): readonly Viewed[] {
    const most = this.#charactersLeft - MOST_OF_LINES;
    const viewed: Viewed[] = [];
    for (const line of lines) {
      if (viewed.length === MOST_LINES || this.#charactersLeft <= most) break;
      viewed.push(view(line));
    }
    return viewed;
  }

  list<Member>(members: readonly Member[]): readonly Member[] {
    if (members.length > MOST_MEMBERS) this.#isCut = true;
    return members.slice(0, MOST_MEMBERS);
  }

  #shortened(value: string | null, most: number): string | null {
    if (value === null) return null;
    if (this.#charactersLeft <= 0) {
      this.#isCut = true;
      return null;
    }
    const shown = shortText(value, most).replace(PILED_MARKS, '$1');
    if (value.length > most && shown.endsWith('…')) this.#isCut = true;
    this.#charactersLeft -= shown.length;
    return shown === '' ? null : shown;
  }
}
