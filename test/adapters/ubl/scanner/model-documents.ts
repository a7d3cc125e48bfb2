import { usualName } from '../../../../src/adapters/ubl/judging/ubl-names.ts';
import type { ElementModel, Particle } from '../../../../src/adapters/ubl/scanner/content-models.ts';
import { CAC, CBC, EXT } from '../../../support/ubl-samples.ts';

const VALUES: Readonly<Record<string, string>> = {
  string: 'a text',
  normalizedString: 'ab',
  decimal: '1.50',
  date: '2026-01-31',
  time: '14:30:00',
  dateTime: '2026-01-31T14:30:00',
  boolean: 'true',
  base64Binary: 'AAAA',
  language: 'mk',
  anyURI: 'urn:a:b',
};

/** The shortest element that a content model allows; null where its content is none that the scanner knows. */
export function shortest(element: ElementModel, content?: string): string | null {
  const name = usualName(element.namespace, element.localName);
  if (content !== undefined) return `<${name}>${content}</${name}>`;
  if (element.content.kind === 'unknown') return null;
  if (element.content.kind === 'value') return valued(element, VALUES[element.content.type] ?? '');
  const children = element.content.particles
    .filter(({ isRequired }) => isRequired)
    .map((child) => shortest(child.element));
  return children.includes(null) ? null : `<${name}>${children.join('')}</${name}>`;
}

/** An element with a value, and with the attributes that it must have. */
export function valued(element: ElementModel, value: string, attribute = ''): string {
  const name = usualName(element.namespace, element.localName);
  const required = element.content.kind === 'value' ? element.content.attributes.filter((one) => one.isRequired) : [];
  const others = required.filter((one) => !attribute.includes(` ${one.name}=`));
  const attributes = others.map((one) => ` ${one.name}="${VALUES[one.type]}"`).join('');
  return `<${name}${attributes}${attribute}>${value}</${name}>`;
}

/** Ways from the root to elements, the shortest to each. */
export function pathsTo(root: ElementModel): ReadonlyMap<ElementModel, readonly ElementModel[]> {
  const paths = new Map<ElementModel, readonly ElementModel[]>([[root, [root]]]);
  for (const [element, path] of paths) {
    if (element.content.kind !== 'children') continue;
    for (const child of element.content.particles) {
      if (!paths.has(child.element)) paths.set(child.element, [...path, child.element]);
    }
  }
  return paths;
}

/** What stands before and after the last element of a path; null where that is nothing that the scanner knows. */
type Around = readonly [before: string, after: string] | null;

/** Thousands of documents differ in their last element alone. */
const knownAround = new WeakMap<readonly ElementModel[], Around>();
const MARK = '\u0000';

/** A document with that element at the end of a path, and nothing else that is not required. */
export function documentWith(path: readonly ElementModel[], element: string): string | null {
  const [root] = path;
  if (root === undefined) return null;
  if (path.length === 1) return withNamespaces(root, element);
  const known = knownAround.get(path);
  const around = known === undefined ? aroundLast(root, path) : known;
  knownAround.set(path, around);
  return around === null ? null : `${around[0]}${element}${around[1]}`;
}

function aroundLast(root: ElementModel, path: readonly ElementModel[]): Around {
  let inner = MARK;
  for (let depth = path.length - 2; depth >= 0; depth -= 1) {
    const parent = path[depth];
    const child = path[depth + 1];
    if (parent?.content.kind !== 'children' || child === undefined) return null;
    const children = childrenWith(parent.content.particles, child, inner);
    const markup = children.includes(null) ? null : shortest(parent, children.join(''));
    if (markup === null) return null;
    inner = markup;
  }
  const [before = '', after = ''] = withNamespaces(root, inner).split(MARK);
  return [before, after];
}

function withNamespaces({ namespace, localName }: ElementModel, markup: string): string {
  const namespaces = ` xmlns="${namespace}" xmlns:cac="${CAC}" xmlns:cbc="${CBC}" xmlns:ext="${EXT}"`;
  return markup.replace(`<${localName}`, `<${localName}${namespaces}`);
}

function childrenWith(particles: readonly Particle[], wanted: ElementModel, markup: string): (string | null)[] {
  return particles
    .filter(({ isRequired, element }) => isRequired || element === wanted)
    .map(({ element }) => (element === wanted ? markup : shortest(element)));
}
