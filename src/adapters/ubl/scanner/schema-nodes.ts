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

/** Names and values take turns: `element name="` `ID` `" type="` `cbc:IDType` `"/`. */
function nodeOf(tag: string): SchemaNode {
  const [beginning = '', ...rest] = tag.split('"');
  const [name = '', first = ''] = beginning.split(' ');
  const names = [first, ...rest.filter((_, place) => place % 2 === 1)].map((part) => part.trim().replace('=', ''));
  const values = rest.filter((_, place) => place % 2 === 0);
  return {
    name: name.replace('/', ''),
    attributes: new Map(values.map((value, place) => [names[place] ?? '', value])),
    children: [],
  };
}
