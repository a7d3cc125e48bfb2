import { XmlNodeStruct, XmlNodeType, XmlNsStruct, xmlHasNsProp, xmlNodeGetContent } from 'libxml2-wasm/lib/libxml2.mjs';
import type { DocumentKind } from '../../../domain/documents/invoice-facts.ts';
import { documentKind, usualPrefix } from '../judging/ubl-names.ts';
import type { NodeAddress } from './libxml2.ts';

/** An element of a tree; valid as long as its document is not disposed. */
export type ElementRef = NodeAddress;

const NO_ELEMENTS: readonly ElementRef[] = [];

/** Reads a parsed document by the usual names (`cbc:ID`), whatever prefixes it uses. */
export class XmlTree {
  readonly root: ElementRef;
  /** The names by the address of their declaration. */
  readonly #namespaces = new Map<number, string>();
  readonly #prefixes = new Map<number, string>();
  readonly #children = new Map<ElementRef, ReadonlyMap<string, readonly ElementRef[]>>();

  constructor(root: ElementRef) {
    this.root = root;
  }

  name(element: ElementRef): string {
    return this.#prefix(element) + XmlNodeStruct.name_(element);
  }

  localName(element: ElementRef): string {
    return XmlNodeStruct.name_(element);
  }

  namespace(element: ElementRef): string {
    const declaration = XmlNodeStruct.namespace(element);
    if (declaration === 0) return '';
    let name = this.#namespaces.get(declaration);
    if (name === undefined) {
      name = XmlNsStruct.href(declaration);
      this.#namespaces.set(declaration, name);
    }
    return name;
  }

  kind(element: ElementRef): DocumentKind | null {
    return documentKind(this.namespace(element), this.localName(element));
  }

  text(element: ElementRef): string {
    return xmlNodeGetContent(element);
  }

  /** An attribute without namespace. */
  attribute(element: ElementRef, name: string): string | null {
    const attribute = xmlHasNsProp(element, name, null);
    return attribute === 0 ? null : xmlNodeGetContent(attribute);
  }

  parent(element: ElementRef): ElementRef | null {
    return element === this.root ? null : XmlNodeStruct.parent(element);
  }

  /** The number of elements before it in its parent. */
  siblingIndex(element: ElementRef): number {
    let before = 0;
    for (let node = XmlNodeStruct.prev(element); node !== 0; node = XmlNodeStruct.prev(node)) {
      if (isElement(node)) before += 1;
    }
    return before;
  }

  *elements(parent: ElementRef): Generator<ElementRef> {
    for (let node = XmlNodeStruct.children(parent); node !== 0; node = XmlNodeStruct.next(node)) {
      if (isElement(node)) yield node;
    }
  }

  /** The element itself, or the one that an attribute or a text belongs to. */
  elementOf(node: NodeAddress): ElementRef {
    let element = node;
    while (element !== this.root && XmlNodeStruct.type(element) !== XmlNodeType.XML_ELEMENT_NODE) {
      element = XmlNodeStruct.parent(element);
    }
    return element;
  }

  childrenNamed(parent: ElementRef, name: string): readonly ElementRef[] {
    return this.#childrenByName(parent).get(name) ?? NO_ELEMENTS;
  }

  childNames(parent: ElementRef): Iterable<string> {
    return this.#childrenByName(parent).keys();
  }

  #childrenByName(parent: ElementRef): ReadonlyMap<string, readonly ElementRef[]> {
    let children = this.#children.get(parent);
    if (children === undefined) {
      children = this.#byName(parent);
      this.#children.set(parent, children);
    }
    return children;
  }

  #byName(parent: ElementRef): ReadonlyMap<string, readonly ElementRef[]> {
    const children = new Map<string, ElementRef[]>();
    for (let node = XmlNodeStruct.children(parent); node !== 0; node = XmlNodeStruct.next(node)) {
      if (!isElement(node)) continue;
      const name = this.name(node);
      const sameName = children.get(name);
      if (sameName === undefined) children.set(name, [node]);
      else sameName.push(node);
    }
    return children;
  }

  #prefix(element: ElementRef): string {
    const namespace = XmlNodeStruct.namespace(element);
    let prefix = this.#prefixes.get(namespace);
    if (prefix === undefined) {
      prefix = usualPrefix(this.namespace(element));
      this.#prefixes.set(namespace, prefix);
    }
    return prefix;
  }
}

/** Among children only elements have a namespace, and reading it is cheaper than reading the type. */
function isElement(child: NodeAddress): boolean {
  return XmlNodeStruct.namespace(child) !== 0 || XmlNodeStruct.type(child) === XmlNodeType.XML_ELEMENT_NODE;
}
