import { type NamespaceFacts, type QualifiedName, type SchemaPart, xsdNamespace } from './schema-facts.ts';
import { moduleOf } from './schema-modules.ts';

type Attributes = SchemaPart['attributes'];

/** The name and the text of the schema file of one namespace: one global component a line. */
export function writeSchema({ namespace, imports, components }: NamespaceFacts): [file: string, text: string] {
  const { file, prefix, notice } = moduleOf(namespace);
  const prefixes = [[prefix, namespace], ...imports.map((name) => [moduleOf(name).prefix, name])].toSorted();
  const declarations = prefixes.map(([prefix, name]) => ` xmlns:${prefix}="${name}"`).join('');
  const text = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<!--\n${notice}\n-->`,
    `<schema xmlns="${xsdNamespace}"${declarations} targetNamespace="${namespace}" elementFormDefault="qualified">`,
    ...imports.map((name) => `<import namespace="${name}" schemaLocation="${moduleOf(name).file}"/>`),
    ...components.map(writePart),
    '</schema>\n',
  ].join('\n');
  return [file, text];
}

function writePart({ kind, attributes, parts }: SchemaPart): string {
  const opening = `<${kind}${writeAttributes(attributes)}`;
  return parts.length === 0 ? `${opening}/>` : `${opening}>${parts.map(writePart).join('')}</${kind}>`;
}

function writeAttributes(attributes: Attributes): string {
  return attributes.map(([name, value]) => ` ${name}="${writeValue(value)}"`).join('');
}

function writeValue(value: string | QualifiedName): string {
  if (typeof value !== 'string') return writeReference(value);
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function writeReference({ namespace, name }: QualifiedName): string {
  return namespace === xsdNamespace ? name : `${moduleOf(namespace).prefix}:${name}`;
}
