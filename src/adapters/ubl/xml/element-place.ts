import { nameText, type Place } from '../judging/findings.ts';
import { elementPosition } from './element-position.ts';
import type { ElementRef, XmlTree } from './xml-tree.ts';

/** Where an element stands: line, column and a path that counts among siblings of one name, `/Invoice/cac:InvoiceLine[3]`. */
export function placeOf(utf8: Buffer, tree: XmlTree, element: ElementRef): Place {
  const places: number[] = [];
  const steps: string[] = [];
  let current = element;
  for (let parent = tree.parent(current); parent !== null; parent = tree.parent(current)) {
    places.unshift(tree.placeAmongSiblings(current));
    steps.unshift(step(tree, parent, current));
    current = parent;
  }
  const path = `/${[shownName(tree, current), ...steps].join('/')}`;
  return { ...elementPosition(utf8, [0, ...places]), path };
}

/** A name for people: a namespace is worth showing only as its usual prefix. */
export function shownName(tree: XmlTree, element: ElementRef): string {
  return nameText(withoutNamespace(tree.name(element)));
}

export function withoutNamespace(name: string): string {
  return name.slice(name.lastIndexOf('}') + 1);
}

function step(tree: XmlTree, parent: ElementRef, element: ElementRef): string {
  const name = tree.name(element);
  const alike = tree.childrenNamed(parent, name);
  return nameText(withoutNamespace(name)) + (alike.length > 1 ? `[${alike.indexOf(element) + 1}]` : '');
}
