import type { Amount, Quantity, UnreadableValue } from '../../../domain/documents/invoice-content.ts';
import { statedCurrency } from '../../../domain/invoices/stated-codes.ts';
import { normalText } from '../../../domain/values/normal-text.ts';
import { decimalText, hasTooManyDigits, MAX_DIGITS } from '../judging/decimal-text.ts';
import type { ElementNumber, ReadableTree } from '../xml/readable-tree.ts';

const DATE = /^(\d{4}-\d{2}-\d{2})(?:Z|[+-]\d{2}:\d{2})?$/u;

/** A few examples are enough to correct the document. */
const MAX_UNREADABLE = 5;
const MAX_UNREADABLE_LENGTH = 200;

/** A path of element names below an element. */
type Names = readonly [string, ...string[]];

type Reading = { readonly element: ContentElement; readonly value: string };

/** An element with its path, for reading values; records those that cannot be read. Blank elements count as missing. */
export class ContentElement {
  readonly path: string;
  readonly #tree: ReadableTree;
  readonly #element: ElementNumber;
  readonly #unreadable: UnreadableValue[];
  /** Cached, because it is used several times and every read copies it out of the parser's memory. */
  #value: string | null | undefined;

  constructor(tree: ReadableTree, element: ElementNumber, path: string, unreadable: UnreadableValue[]) {
    this.#tree = tree;
    this.#element = element;
    this.path = path;
    this.#unreadable = unreadable;
  }

  children(name: string): readonly ContentElement[] {
    return this.#named(name).map((element, index, { length }) => this.#childOf(element, name, index, length));
  }

  /** One after the other, as they are asked for. */
  *eachChild(name: string): Generator<ContentElement> {
    const sameName = this.#named(name);
    let index = 0;
    for (const element of sameName) {
      yield this.#childOf(element, name, index, sameName.length);
      index += 1;
    }
  }

  /** The names of the elements in it, each once. */
  childNames(): Iterable<string> {
    return this.#tree.childNames(this.#element);
  }

  child(name: string): ContentElement | null {
    const sameName = this.#named(name);
    const [first] = sameName;
    return first === undefined ? null : this.#childOf(first, name, 0, sameName.length);
  }

  /** In the same form as the facts; null for a blank text. */
  get value(): string | null {
    if (this.#value === undefined) this.#value = normalText(this.#tree.text(this.#element));
    return this.#value;
  }

  attribute(name: string): string | null {
    return normalText(this.#tree.attribute(this.#element, name) ?? '');
  }

  text(...names: Names): string | null {
    return this.firstNonBlank(...names)?.value ?? null;
  }

  texts(name: string): readonly string[] {
    return this.children(name).flatMap(({ value }) => value ?? []);
  }

  /** The texts of all elements in it, or its own, whatever blanks stand between them. */
  allTexts(): readonly string[] {
    const inside = [...this.childNames()].flatMap((name) => this.children(name));
    return inside.length > 0 ? inside.flatMap((element) => element.allTexts()) : [this.value ?? []].flat();
  }

  /** The first element at the path whose text is not blank. */
  firstNonBlank(...[name, next, ...rest]: Names): ContentElement | null {
    const sameName = this.#named(name);
    let index = 0;
    for (const element of sameName) {
      const child = this.#childOf(element, name, index, sameName.length);
      const found = next === undefined ? child : child.firstNonBlank(next, ...rest);
      if (found !== null && found.value !== null) return found;
      index += 1;
    }
    return null;
  }

  date(...names: Names): string | null {
    return this.#read(names, (text) => DATE.exec(text)?.[1] ?? null)?.value ?? null;
  }

  number(...names: Names): string | null {
    return this.#read(names, decimalText)?.value ?? null;
  }

  amount(...names: Names): Amount | null {
    const found = this.#read(names, decimalText);
    return found && { value: found.value, currency: statedCurrency(found.element.attribute('currencyID')) };
  }

  quantity(...names: Names): Quantity | null {
    const found = this.#read(names, decimalText);
    return found === null ? null : { value: found.value, unit: found.element.attribute('unitCode') };
  }

  #named(name: string): readonly ElementNumber[] {
    return this.#tree.childrenNamed(this.#element, name);
  }

  #childOf(element: ElementNumber, name: string, index: number, count: number): ContentElement {
    const path = `${this.path}/${name}${count > 1 ? `[${index + 1}]` : ''}`;
    return new ContentElement(this.#tree, element, path, this.#unreadable);
  }

  /** The value of the first element at the path whose text is not blank; one that cannot be read is recorded. */
  #read(names: Names, read: (text: string) => string | null): Reading | null {
    const element = this.firstNonBlank(...names);
    if (element === null) return null;
    const text = element.value ?? '';
    const value = read(text);
    if (value !== null) return { element, value };
    if (this.#unreadable.length < MAX_UNREADABLE) {
      const mostDigits = read === decimalText && hasTooManyDigits(text) ? MAX_DIGITS : null;
      this.#unreadable.push({ path: element.path, text: text.slice(0, MAX_UNREADABLE_LENGTH), mostDigits });
    }
    return null;
  }
}
