/** An element of a tree, by a number that has a meaning there alone. */
export type ElementNumber = number;

/** What facts and contents are read from, by the usual names (`cbc:ID`): a parsed document, or a scanned one. */
export type ReadableTree = {
  readonly root: ElementNumber;
  readonly childrenNamed: (parent: ElementNumber, name: string) => readonly ElementNumber[];
  /** The names of the elements in an element, each once, in their order. */
  readonly childNames: (parent: ElementNumber) => Iterable<string>;
  /** Of an element that has others in it, their texts, with or without the blanks between them: it says whether there are any. */
  readonly text: (element: ElementNumber) => string;
  /** An attribute without namespace. */
  readonly attribute: (element: ElementNumber, name: string) => string | null;
};
