/** An element of a tree, by a number that has a meaning there alone. */
export type ElementNumber = number;

/** What facts are read from, by the usual names (`cbc:ID`): a parsed document, or a scanned one. */
export type ReadableTree = {
  readonly root: ElementNumber;
  readonly childrenNamed: (parent: ElementNumber, name: string) => readonly ElementNumber[];
  readonly text: (element: ElementNumber) => string;
  /** An attribute without namespace. */
  readonly attribute: (element: ElementNumber, name: string) => string | null;
};
