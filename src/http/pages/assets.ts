import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const TYPES = {
  'look.css': 'text/css; charset=utf-8',
  'document.css': 'text/css; charset=utf-8',
  'copy.js': 'text/javascript; charset=utf-8',
  'send-call.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
} as const;

export type AssetName = keyof typeof TYPES;

export type Asset = { readonly fileName: string; readonly contentType: string; readonly bytes: Uint8Array };

/** The files that pages are made of. A digest in the name lets browsers keep them for ever. */
export const ASSETS: Readonly<Record<AssetName, Asset>> = {
  'look.css': asset('look.css'),
  'document.css': asset('document.css'),
  'copy.js': asset('copy.js'),
  'send-call.js': asset('send-call.js'),
  'icon.svg': asset('icon.svg'),
};

function asset(name: AssetName): Asset {
  return readAsset(new URL(`./assets/${name}`, import.meta.url), name, TYPES[name]);
}

export function readAsset(file: URL, name: string, contentType: string): Asset {
  const bytes = readFileSync(file);
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
  return { fileName: name.replace('.', `.${digest}.`), contentType, bytes };
}
