/** A tag of one of our schema files with what stands inside of it. */
export type SchemaNode = {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: SchemaNode[];
};

/** Reads a schema file that `npm run schemas` has written: behind its notices it has tags alone, with values in double quotes. */
export function readSchemaNodes(text: string): SchemaNode {
  const root: SchemaNode = { name: '', attributes: new Map(), children: [] };
  const open = [root];
  for (const piece of text.split('<').slice(1)) {
    const tag = piece.slice(0, piece.indexOf('>'));
    if (tag.startsWith('?') || tag.startsWith('!')) continue;
    if (tag.startsWith('/')) {
      open.pop();
      continue;
    }
    const node = nodeOf(tag);
    open.at(-1)?.children.push(node);
    if (!tag.endsWith('/')) open.push(node);
  }
  const [schema] = root.children;
  if (schema?.name !== 'schema' || open.length !== 1) throw new Error('A schema file is not as it was written');
  return schema;
}

/** A name, then attributes: `element name="ID" type="cbc:IDType"/`. Thousands are read at every start, so no more texts are made than are kept. */
function nodeOf(tag: string): SchemaNode {
  const attributes = new Map<string, string>();
  const nameEnd = tag.search(/[ /]|$/u);
  let at = nameEnd;
  for (let equals = tag.indexOf('="', at); equals !== -1; equals = tag.indexOf('="', at)) {
    const end = tag.indexOf('"', equals + 2);
    attributes.set(tag.slice(at, equals).trim(), tag.slice(equals + 2, end));
    at = end + 1;
  }
  return { name: tag.slice(0, nameEnd), attributes, children: [] };
}
