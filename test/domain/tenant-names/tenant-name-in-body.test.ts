import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { tenantNameIn } from '../../../src/domain/tenant-names/tenant-name-in-body.ts';

const inText = (text: string) => tenantNameIn(Buffer.from(text));

const MULTIPART = (...parts: readonly string[]) => `${parts.map((part) => `--x7\r\n${part}\r\n`).join('')}--x7--\r\n`;

describe('a tenant-identifying name is found in', () => {
  const bodies: Readonly<Record<string, string>> = {
    JSON: '{"tenantId": "4030026000018"}',
    'JSON deep inside': '{"a": [{"b": {"Tenant-Id": null}}]}',
    'JSON with an escaped name': '{"\\u0074enantId": 1}',
    'JSON under __proto__': '{"__proto__": {"tenantId": 1}}',
    'JSON in capitals': '[{"TENANT_UID":1}]',
    'several JSON texts, one a line': '{"number":1}\n{"number":2,"tenant":7}\n',
    'JSON that is cut off': '{"a": {"tenant": 7, "b": [',
    'JSON with a string that is not closed': '{"a": "x, "tenantId": 7}',
    'JSON with two strings that are not closed': '{"a: 1, "tenantId": "x}',
    'JSON with single quotes': "{'tenantId': 7}",
    'JSON with bare names': '{number: 1, tenantId: 7}',
    'a JSON string': '"{\\"tenantId\\":7}"',
    'a JSON string with XML': '"<Invoice><x:TenantId>7</x:TenantId></Invoice>"',
    XML: '<cancel><t:tenant_uid xmlns:t="urn:t">7</t:tenant_uid></cancel>',
    'XML that is broken': '<cancel><tenant>7',
    'an XML attribute': '<cancel\n taxpayerId = "7"/>',
    'a form': 'reason=late&tenant=7',
    'a form with an encoded name': 'reason=late&tenant%5Fid=7',
    'a form with encoded letters': '%74enantid=7',
    'a form with a nested name': 'document%5BtenantId%5D=7',
    'a form with a dotted name': 'document.tenantKey=7',
    'a multipart form': MULTIPART('Content-Disposition: form-data; name="tenantId"\r\n\r\n7'),
    'a multipart form without quotes': MULTIPART('content-disposition: form-data; name=tenant-id\r\n\r\n7'),
    'JSON inside a multipart form': MULTIPART('Content-Type: application/json\r\n\r\n{"tenantCode":"A"}'),
    'XML inside a multipart form': MULTIPART('Content-Type: text/xml\r\n\r\n<a><tenant>7</tenant></a>'),
    'lines of names and values': 'number: 1\ntenant-id: 7\n',
    'multipart, in brackets': MULTIPART('Content-Disposition: form-data; name="document[tenantId]"\r\n\r\n7'),
    'multipart, in brackets, as a word': MULTIPART('Content-Disposition: form-data; name="document[tenant]"\r\n\r\n7'),
    'multipart, after a dot': MULTIPART('Content-Disposition: form-data; name="document.tenant"\r\n\r\n7'),
    'multipart with an extended name': MULTIPART("Content-Disposition: form-data; name*=UTF-8''tenant\r\n\r\n7"),
    'multipart after other text': `MIME\r\n${MULTIPART('Content-Disposition: form-data; name="tenant"\r\n\r\n7')}`,
    'multipart with a folded header': MULTIPART('Content-Disposition: form-data;\r\n name = \r\n "tenant"\r\n\r\n7'),
    'XML with a prefix of another script': '<ф:tenantId xmlns:ф="u">5</ф:tenantId>',
    'an XML attribute with a prefix of another script': '<a xmlns:ф="u" ф:tenant="5"/>',
    'a form with a name without a value': 'a=1&tenant',
    'a form that is only a name': 'tenantId',
    'a form with a blank before a name': '+tenant=5',
    'a form with JSON in it': 'data=%7B%22tenant%22%3A5%7D',
    'a form with a very long name': `a=1&${'x'.repeat(300)}[tenant]=5`,
    'JSON with a very long name': `{"tenant${'_'.repeat(300)}id":5}`,
    'JSON with comments': '{"tenant"/*c*/:5}',
    'JSON with another sign': '{"tenantId"=5}',
    'JSON in JSON': '{"a":"{\\"tenant\\":5}"}',
    'JSON in JSON in JSON': JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ tenant: 5 }) }) }),
    'XML in JSON': '{"a":"<b tenant=\\"5\\"/>"}',
    'JSON in a call': 'callback({"tenantId":5})',
    'JSON after a comment of XML': '<!-- x -->{"tenant":5}',
    'a table': 'tenantId,amount\n5,1\n',
    'a table with a word as heading': 'amount;"tenant"\n5;1\n',
    'sections of settings': '[tenant]\nid=5\n',
    'YAML with question marks': '? tenantId\n: 5\n',
    HTML: '<form><input name="tenant" value="5"></form>',
    'base64 of JSON': Buffer.from('{"tenant":5}').toString('base64'),
  };
  for (const [form, body] of Object.entries(bodies)) {
    test(form, () => assert.notEqual(inText(body), null));
    test(`${form}, in UTF-16 and with byte order marks`, () => {
      const little = Buffer.from(`\ufeff${body}`, 'utf16le');
      const big = Buffer.from(little).swap16();
      for (const bytes of [little, big, little.subarray(2), big.subarray(2), Buffer.from(`\ufeff${body}`)]) {
        assert.notEqual(tenantNameIn(bytes), null);
      }
    });
  }
});

describe('a tenant-identifying name is found in bytes that are no text:', () => {
  const bodies: Readonly<Record<string, Buffer>> = {
    CBOR: Buffer.from('\xa1\x68tenantId\x05', 'latin1'),
    MessagePack: Buffer.from('\x81\xa8tenantId\x05', 'latin1'),
    BSON: Buffer.from('\x14\0\0\0\x10tenantId\0\x05\0\0\0\0', 'latin1'),
    'JSON behind zero bytes': Buffer.from('\0\0{"tenantId":5}'),
    'JSON in UTF-32': Buffer.from([...'{"tenant":5}'].map((character) => `${character}\0`).join(''), 'utf16le'),
    'JSON in UTF-16 behind another script': Buffer.from('Ж{"tenantId":5}', 'utf16le'),
    'XML in windows-1251': Buffer.from(
      '<?xml version="1.0" encoding="windows-1251"?><\xf4:tenant xmlns:\xf4="u"/>',
      'latin1',
    ),
  };
  for (const [form, body] of Object.entries(bodies)) test(form, () => assert.notEqual(tenantNameIn(body), null));
});

describe('there is none in', () => {
  for (const body of [
    '',
    ' ',
    '\0',
    'text',
    'tenant',
    'the tenant',
    '{}',
    '{',
    '[]',
    'null',
    '7',
    '{"name":"tenantId"}',
    '["tenant"]',
    '{"reason":"typing error by tenant"}',
    '{"reason":"wrong tenant = late"}',
    '{"reason":"our tenant: Alfa","more":"\\"tenant\\": 1"}',
    '{"a":1e5,"b":-1.5E-3,"c":[true,false,null],"tenants":[]}',
    '{"a":"tenant"}\n{"b":"taxpayerId"}\n',
    '<cancel/>',
    '<cancel xmlns:tenant="urn:t"/>',
    '<cancel><tenants/><subtenant/></cancel>',
    'reason=late',
    'reason=tenant',
    'reason=tenant%3A+late&name=tenantId',
    MULTIPART('Content-Disposition: form-data; name="reason"\r\n\r\nthe tenant is late'),
    'Our tenant, who is late, asks for it.',
    '<Note>The tenant, as agreed</Note>',
    '{"a":"{\\"reason\\":\\"the tenant asked\\"}","b":"[tenant]"}',
    'note=%7B%22reason%22%3A%22tenant%22%7D',
    'number,amount\n5,tenant\n',
  ]) {
    test(JSON.stringify(body), () => assert.equal(inText(body), null));
  }
});

describe('a hostile body is looked through in little time:', () => {
  const LENGTH = process.env['TEST_LONG'] === '1' ? 10_000_000 : 500_000;
  const fill = (piece: string) => piece.repeat(Math.floor(LENGTH / piece.length));
  const hostile: Readonly<Record<string, string>> = {
    brackets: `${fill('[')}"tenant"`,
    'quotation marks': `{"tenant" ${fill('"')}`,
    backslashes: `{"tenant ${fill('\\')}`,
    'the name as a value': `[${fill('"tenant",')}`,
    'the name without a sign': fill('tenant '),
    'the name before blanks': fill(`tenant${' '.repeat(10_000)}`),
    separators: `tenant ${fill('_-')}`,
    'beginnings of tags': `tenant${fill('<')}`,
    'beginnings of tags in XML': `<tenants ${fill(' a')}`,
    'blanks in XML': `<tenants ${fill(' ')}`,
    'percent signs': `tenant ${fill('%7')}`,
    'fields of a form': `tenants=${fill('&')}`,
    'names of a form': `tenants=${fill('a.')}`,
    'one long word': `tenant ${fill('a')}`,
    'beginnings of comments': `tenant ${fill('/*')}`,
    'JSON in JSON': `{"tenant ${fill('\\\\\\"{')}`,
    'fields with JSON': `tenants=${fill('&a=%7B')}`,
    'cells of a table': `a tenant${fill(',')}`,
    'names of HTML': `<tenants ${fill(' name=')}>`,
    'bytes that are no text': `\u0001tenant ${fill('_')}`,
  };
  for (const [what, body] of Object.entries(hostile)) {
    // Anything quadratic would take hours.
    test(what, { timeout: 60_000 }, () => assert.equal(inText(body), null));
  }
});
