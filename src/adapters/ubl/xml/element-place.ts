import { nameText, type Place } from '../judging/findings.ts';
import { elementPosition } from './element-position.ts';
import type { ElementRef, XmlTree } from './xml-tree.ts';

/** Line, column and path of an element; the path counts siblings of the same name: `/Invoice/cac:InvoiceLine[3]`. */
export function placeOf(utf8: Buffer, tree: XmlTree, element: ElementRef): Place {
  const siblingIndexes: number[] = [];
  const steps: string[] = [];
  let current = element;
  for (let parent = tree.parent(current); parent !== null; parent = tree.parent(current)) {
    siblingIndexes.unshift(tree.siblingIndex(current));
    steps.unshift(step(tree, parent, current));
    current = parent;
  }
  const path = `/${[shownName(tree, current), ...steps].join('/')}`;
  return { ...elementPosition(utf8, [0, ...siblingIndexes]), path };
}

/** A name for messages: with the usual prefix of its namespace, without a namespace that has none. */
export function shownName(tree: XmlTree, element: ElementRef): string {
  return nameText(withoutNamespace(tree.name(element)));
}

export function withoutNamespace(name: string): string {
  return name.slice(name.lastIndexOf('}') + 1);
}

function step(tree: XmlTree, parent: ElementRef, element: ElementRef): string {
  const name = tree.name(element);
  const sameName = tree.childrenNamed(parent, name);
  return nameText(withoutNamespace(name)) + (sameName.length > 1 ? `[${sameName.indexOf(element) + 1}]` : '');
}
