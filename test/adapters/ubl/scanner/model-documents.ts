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

/** A document with that element at the end of a path, and nothing else that is not required. */
export function documentWith(path: readonly ElementModel[], element: string): string | null {
  let inner: string | null = element;
  for (let depth = path.length - 2; depth >= 0; depth -= 1) {
    const parent = path[depth];
    const child = path[depth + 1];
    if (inner === null || parent?.content.kind !== 'children' || child === undefined) return null;
    const children: readonly (string | null)[] = childrenWith(parent.content.particles, child, inner);
    inner = children.includes(null) ? null : (shortest(parent, children.join('')) ?? null);
  }
  const [root] = path;
  if (inner === null || root === undefined) return null;
  const namespaces = ` xmlns="${root.namespace}" xmlns:cac="${CAC}" xmlns:cbc="${CBC}" xmlns:ext="${EXT}"`;
  return inner.replace(`<${root.localName}`, `<${root.localName}${namespaces}`);
}

function childrenWith(particles: readonly Particle[], wanted: ElementModel, markup: string): (string | null)[] {
  return particles
    .filter(({ isRequired, element }) => isRequired || element === wanted)
    .map(({ element }) => (element === wanted ? markup : shortest(element)));
}
