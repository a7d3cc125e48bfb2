/** An element by its positions in the text of its document. */
export type OutlinedElement = {
  readonly name: string;
  readonly start: number;
  readonly contentStart: number;
  /** Where the closing tag starts; equal to `end` for an element closed in its opening tag. */
  contentEnd: number;
  end: number;
  readonly children: OutlinedElement[];
};

export type XmlOutline = {
  readonly xml: string;
  readonly root: OutlinedElement;
  /** All elements but the root, in document order. */
  readonly elements: readonly OutlinedElement[];
};

const markup =
  /<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<!DOCTYPE[^>]*>|<(?<closing>\/?)(?<name>[^\s/>]+)(?:[^>"']|"[^"]*"|'[^']*')*>/gs;

/** Finds the elements of a well-formed document. Working on the text leaves all that a test does not touch as it was. */
export function outlineXml(xml: string): XmlOutline {
  const open: OutlinedElement[] = [];
  const closed: OutlinedElement[] = [];
  for (const { 0: tag, index, groups } of xml.matchAll(markup)) {
    const name = groups?.['name'];
    if (name === undefined) continue;
    const end = index + tag.length;
    if (groups?.['closing']) {
      close(open, closed, { contentEnd: index, end });
    } else {
      const element = { name, start: index, contentStart: end, contentEnd: end, end, children: [] };
      open.at(-1)?.children.push(element);
      open.push(element);
      if (tag.endsWith('/>')) close(open, closed, { contentEnd: end, end });
    }
  }
  const root = closed.pop();
  if (!root || open.length > 0) throw new Error('The document is not well-formed');
  return { xml, root, elements: closed.toSorted((one, other) => one.start - other.start) };
}

function close(
  open: OutlinedElement[],
  closed: OutlinedElement[],
  positions: Pick<OutlinedElement, 'contentEnd' | 'end'>,
): void {
  const element = open.pop();
  if (!element) throw new Error('The document is not well-formed');
  closed.push(Object.assign(element, positions));
}
