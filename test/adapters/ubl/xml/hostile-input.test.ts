import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { EXT, sampleInvoice } from '../../../support/ubl-samples.ts';
import { judge, outcomeOn, refusalOf } from '../judging/judging.ts';

const MIB = 1024 * 1024;
/** Of the largest document: what is refused at its beginning, or takes a careless reader minutes all the same, is tried at a tenth of it. */
const SHARE = process.env['TEST_LONG'] === '1' ? 1 : 0.1;

/** Of elements that each break the schema: a reader that goes through all of them for each is too slow with these. */
const BROKEN = process.env['TEST_LONG'] === '1' ? 500_000 : 150_000;

/** Processor time, since a busy machine takes longer. Far above what any of these takes, far below what a careless reader would. */
const SECONDS = 5;

function judgedInTime(document: string): ReturnType<typeof judge> {
  const start = process.threadCpuUsage();
  const judgement = judge(document);
  const { user, system } = process.threadCpuUsage(start);
  const seconds = (user + system) / 1_000_000;
  assert.ok(seconds < SECONDS, `took ${seconds} s`);
  return judgement;
}

function refusedInTime(document: string, code: string): string {
  const judgement = judgedInTime(document);
  assert.ok(judgement.outcome === 'refused');
  assert.equal(judgement.code, code, judgement.detail);
  assert.ok(judgement.detail.length <= 2000);
  return judgement.detail;
}

function withDoctype(doctype: string, inside = ''): string {
  return sampleInvoice().replace('<Invoice ', `${doctype}\n<Invoice `).replace('</cbc:Note>', `${inside}</cbc:Note>`);
}

describe('a DOCTYPE is refused', () => {
  const entities = Array.from(
    { length: 10 },
    (_, level) => `<!ENTITY e${level + 1} "${`&e${level};`.repeat(10)}">`,
  ).join('');
  const doctypes: Record<string, string> = {
    'that declares nothing': withDoctype('<!DOCTYPE Invoice>'),
    'in lower case': withDoctype('<!doctype Invoice>'),
    'with a harmless entity': withDoctype('<!DOCTYPE Invoice [<!ENTITY a "b">]>', '&a;'),
    'with an external entity': withDoctype('<!DOCTYPE Invoice [<!ENTITY a SYSTEM "file:///etc/passwd">]>', '&a;'),
    'with an external subset': withDoctype('<!DOCTYPE Invoice SYSTEM "http://127.0.0.1/invoice.dtd">'),
    'with a parameter entity': withDoctype('<!DOCTYPE Invoice [<!ENTITY % p SYSTEM "http://127.0.0.1/p"> %p;]>'),
    'with a billion laughs': withDoctype(`<!DOCTYPE Invoice [<!ENTITY e0 "ha">${entities}]>`, '&e10;'),
    'behind comments and instructions': withDoctype('<!-- <a> --><?p <b> ?>\n<!DOCTYPE Invoice>'),
    'in a document of twenty megabytes': withDoctype('<!DOCTYPE Invoice>', 'x'.repeat(20 * MIB)),
  };
  for (const [title, document] of Object.entries(doctypes)) {
    test(title, () => {
      assert.match(refusedInTime(document, 'ERR-2001'), /DOCTYPE/u);
    });
  }
  test('unless it is only text', () => {
    assert.equal(outcomeOn(sampleInvoice().replace('</cbc:Note>', '<![CDATA[<!DOCTYPE a>]]></cbc:Note>')), 'document');
    assert.equal(outcomeOn(sampleInvoice().replace('<Invoice ', '<!-- <!DOCTYPE a> --><Invoice ')), 'document');
  });
});

describe('what is no XML is refused as such:', () => {
  const bodies: Record<string, [string | Buffer, RegExp]> = {
    nothing: ['', /empty/u],
    blanks: [' \r\n\t ', /./u],
    'a word': ['здраво', /start tag of the root/u],
    JSON: ['{"Invoice": {}}', /is JSON/u],
    'broken JSON': [' [1,', /is JSON/u],
    'a PDF': ['%PDF-1.7\n…', /is a PDF/u],
    gzip: [gzipSync(sampleInvoice()), /gzip/u],
    zstd: [zstdCompressSync(sampleInvoice()), /Zstandard/u],
    ZIP: [Buffer.from('PK\x03\x04…'), /ZIP/u],
    'a page of HTML': ['<!DOCTYPE html><html><body>Error<br></body></html>', /DOCTYPE/u],
    'a JSON string': [JSON.stringify(sampleInvoice()), /is a JSON string; send the XML itself/u],
    'a JSON string in UTF-16': [Buffer.from('\ufeff"<a/>"', 'utf16le'), /is a JSON string; send the XML itself/u],
    'a form': [`xml=${encodeURIComponent(sampleInvoice())}`, /is a form; send the XML itself/u],
    'a form that is not encoded': [`document=${sampleInvoice()}`, /is a form; send the XML itself/u],
    multipart: [
      `--b-7\r\nContent-Disposition: form-data; name="file"\r\n\r\n${sampleInvoice()}\r\n--b-7--\r\n`,
      /is multipart; send the XML itself/u,
    ],
    base64: [Buffer.from(sampleInvoice()).toString('base64'), /is base64; send the XML itself/u],
    'base64 in lines': [
      Buffer.from(sampleInvoice()).toString('base64').replace(/.{76}/gu, '$&\r\n'),
      /is base64; send the XML itself/u,
    ],
    'short base64': [Buffer.from('<a/>').toString('base64'), /is base64; send the XML itself/u],
    'a data URL': ['data:application/xml;base64,PGEvPg==', /is a data URL; send the XML itself/u],
    'a declaration alone': ['<?xml version="1.0"?>', /start tag of the root/u],
  };
  for (const [title, [body, detail]] of Object.entries(bodies)) {
    test(title, () => {
      assert.match(refusalOf(typeof body === 'string' ? Buffer.from(body) : body, 'ERR-2001'), detail);
    });
  }
});

describe('floods end at a limit or are read in time:', () => {
  test('twenty thousand levels', () => {
    const deep = '<a>'.repeat(20_000) + '</a>'.repeat(20_000);
    assert.match(refusedInTime(deep, 'ERR-2001'), /column 385: There are more than 128 levels/u);
  });
  test('twenty thousand levels inside an extension', () => {
    const deep = '<a xmlns="urn:x">'.repeat(20_000) + '</a>'.repeat(20_000);
    assert.match(refusedInTime(sampleInvoice({ extension: deep }), 'ERR-2001'), /128 levels/u);
  });
  test('as many levels as are allowed', () => {
    const deep = '<a xmlns="urn:x">'.repeat(124) + '</a>'.repeat(124);
    assert.equal(outcomeOn(sampleInvoice({ extension: deep })), 'document');
  });
  test('attributes without end', () => {
    const attributes = Array.from({ length: 1_000_000 * SHARE }, (_, index) => ` a${index}=""`).join('');
    assert.match(refusedInTime(`<Invoice${attributes}/>`, 'ERR-2001'), /more than 256 attributes/u);
  });
  test('declarations of namespaces without end', () => {
    const declarations = Array.from({ length: 1_000_000 * SHARE }, (_, index) => ` xmlns:a${index}="urn:a"`).join('');
    assert.match(refusedInTime(`<Invoice${declarations}/>`, 'ERR-2001'), /more than 256 attributes/u);
  });
  test('two and a half million empty elements', () => {
    assert.match(refusedInTime(`<a>${'<b/>'.repeat(2_500_000)}</a>`, 'ERR-2001'), /more than 1,250,000 elements/u);
  });
  test('comments, instructions and empty CDATA sections without end', () => {
    for (const markup of ['<!---->', '<?a?>', '<![CDATA[]]>']) {
      judgedInTime(sampleInvoice().replace('</cbc:Note>', `${markup.repeat(1_000_000 * SHARE)}</cbc:Note>`));
    }
  });
  test('a single text of 11 MiB', () => {
    const judgement = judgedInTime(sampleInvoice().replace('</cbc:Note>', `${'ж'.repeat(5.5 * MIB)}</cbc:Note>`));
    assert.equal(judgement.outcome, 'document');
  });
  test('a single attribute, name or comment of 10 MiB', () => {
    const long = 'a'.repeat(10 * MIB);
    judgedInTime(sampleInvoice().replace('languageID="mk"', `languageID="${long}"`));
    judgedInTime(sampleInvoice({ extension: `<${long} xmlns="urn:x"/>` }));
    judgedInTime(sampleInvoice().replace('<Invoice ', `<!--${long}--><Invoice `));
  });
  test('two million character references', () => {
    assert.equal(
      judgedInTime(sampleInvoice().replace('</cbc:Note>', `${'&#38;'.repeat(2_000_000)}</cbc:Note>`)).outcome,
      'document',
    );
  });
  test(`${BROKEN} elements that each break the schema`, () => {
    const notes = '<cbc:Note a=""/>'.repeat(BROKEN);
    const detail = refusedInTime(sampleInvoice().replace('<cbc:Note ', `${notes}<cbc:Note `), 'ERR-2002');
    assert.equal(detail.match(/must not have the attribute a\./gu)?.length, 5);
  });
  test('a hundred thousand prefixes that are not declared', () => {
    refusedInTime(sampleInvoice({ extension: '<x:a/>'.repeat(100_000) }), 'ERR-2001');
  });
  test('a hundred thousand documents in one wrapper', () => {
    const invoice = '<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>';
    refusedInTime(`<batch>${invoice.repeat(100_000)}</batch>`, 'ERR-2011');
  });
  test('a hundred thousand documents one after the other', () => {
    refusedInTime(
      '<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>'.repeat(100_000),
      'ERR-2011',
    );
  });
  test('a number of ten million digits', () => {
    const some = Math.floor(10 * MIB * SHARE);
    for (const amount of ['0'.repeat(some), `${'0'.repeat(some)}x`, '9'.repeat(10 * MIB)]) {
      refusedInTime(sampleInvoice({ amount }), 'ERR-2006');
    }
  });
  test('ten million digits of Base64 and one that is none', () => {
    const attachments = [{ mimeCode: 'application/pdf', content: `${'A'.repeat(10 * MIB)}!AAA` }];
    const judgement = judgedInTime(sampleInvoice({ attachments }));
    assert.ok(judgement.outcome === 'refused' || judgement.pdf === null);
  });
  test('markup that opens and never closes', () => {
    for (const opening of ['<', '<a ', '<!--', '<![CDATA[', '<?', '&', '<a b="']) {
      refusedInTime(opening.repeat(Math.floor((10 * MIB * SHARE) / opening.length)), 'ERR-2001');
    }
  });
});

test('instructions, inclusions and hints of schemas are only text', () => {
  const xml = sampleInvoice({
    extension: '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd" parse="text"/>',
  })
    .replace(
      '<Invoice ',
      '<?xml-stylesheet href="file:///etc/passwd"?><Invoice xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ',
    )
    .replace('xmlns:ext', `xsi:schemaLocation="${EXT} file:///etc/passwd" xmlns:ext`);
  assert.equal(outcomeOn(xml), 'document');
});

test('values of a document cannot act where its refusal is shown', () => {
  const detail = refusalOf(sampleInvoice({ issueDate: `a\u{202E}b&#x85;c&#xE000;${'d'.repeat(1000)}` }), 'ERR-2002');
  assert.match(detail, /“a&#x202E;b&#x85;c&#xE000;d{30,40}…”/u);
});

describe('namespace declarations in scope', () => {
  const nested = (levels: number, each: number) => {
    const declared = (level: number) =>
      Array.from({ length: each }, (_, index) => ` xmlns:p${level}_${index}="urn:${index}"`).join('');
    const open = Array.from({ length: levels }, (_, level) => `<a${declared(level)}>`).join('');
    return sampleInvoice({ extension: `<x xmlns="urn:x">${open}${'</a>'.repeat(levels)}</x>` });
  };

  test('of the elements around an element count together: 256 at most', () => {
    // The root of the sample declares four, the element around these one.
    assert.equal(outcomeOn(nested(1, 251)), 'document');
    assert.match(refusalOf(nested(2, 126), 'ERR-2001'), /more than 256 namespace declarations in scope/u);
    assert.match(refusedInTime(nested(100, 250), 'ERR-2001'), /namespace declarations in scope/u);
  });

  test('are out of scope behind their element', () => {
    const siblings = Array.from({ length: 500 }, (_, index) => `<a xmlns:p${index}="urn:p"/>`).join('');
    assert.equal(outcomeOn(sampleInvoice({ extension: `<x xmlns="urn:x">${siblings}</x>` })), 'document');
  });

  for (const [place, wrapped] of Object.entries({
    'an extension': (name: string, inside: string) =>
      sampleInvoice({ extension: `<x xmlns="${name}">${inside.repeat(100_000)}</x>` }),
    'another root': (name: string, inside: string) => `<x xmlns="${name}">${inside.repeat(100_000)}</x>`,
    'attributes of an extension': (name: string, inside: string) =>
      sampleInvoice({ extension: `<x xmlns="urn:x" xmlns:p='${name}'>${inside.repeat(20_000)}</x>` }),
  })) {
    test(`have names of 256 bytes at most, in ${place}`, () => {
      const element = place.startsWith('attributes') ? '<a p:b="" p:c=""/>' : '<a/>';
      judgedInTime(wrapped('u'.repeat(256), element));
      const refusal = refusedInTime(wrapped('u'.repeat(257), element), 'ERR-2001');
      assert.match(refusal, /namespaces with names of more than 256 bytes/u);
    });
  }

  test('are told from attributes whose names begin alike', () => {
    const alike = Array.from({ length: 250 }, (_, index) => ` xmlnsx${index}=""`).join('');
    assert.equal(
      outcomeOn(sampleInvoice({ extension: `<x xmlns="urn:x"><a${alike}><a${alike}/></a></x>` })),
      'document',
    );
  });
});

describe('a text in pieces', () => {
  const note = (inside: string) => sampleInvoice().replace('</cbc:Note>', `${inside}</cbc:Note>`);

  for (const piece of ['a<!-- b -->', 'a<?b c?>', '<![CDATA[a]]>']) {
    test(`(${piece}) is taken up to 64 of them, and refused at once where there is no end of them`, () => {
      assert.equal(outcomeOn(note(piece.repeat(64))), 'document');
      const many = piece.repeat(Math.floor(((10 * MIB - 20_000) * SHARE) / piece.length));
      assert.match(refusedInTime(note(many), 'ERR-2001'), /more than 64 comments/u);
    });
  }

  test('may be as long as the document', () => {
    assert.equal(judgedInTime(note(`${'x'.repeat(9 * MIB)}${'a<!-- b -->'.repeat(64)}`)).outcome, 'document');
  });

  test('does not count comments between elements', () => {
    const lines = sampleInvoice()
      .replaceAll('<cbc:', '<!-- a comment --><cbc:')
      .replaceAll('<cac:', '<!-- another --><cac:');
    assert.equal(outcomeOn(lines), 'document');
  });
});
