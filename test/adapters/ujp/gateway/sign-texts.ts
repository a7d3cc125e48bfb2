import { text } from 'node:stream/consumers';
import { createPemSigner } from '../../../../src/adapters/ujp/gateway/pem-signer.ts';

/** Signs the texts that it is given, one after the other, and prints what came of it. */
type Order = { readonly certificatePem: string; readonly privateKeyPem: string; readonly texts: readonly string[] };

const order = JSON.parse(await text(process.stdin)) as Order;
const signer = await createPemSigner(order.certificatePem, order.privateKeyPem);
const signed: string[] = [];
for (const one of order.texts) signed.push(await signer.sign(one));
process.stdout.write(JSON.stringify(signed));
