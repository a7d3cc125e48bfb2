import type { PageKey } from '../../domain/messages/page-texts.ts';

/** The keys of the demo environment, each with what it shows. */
export const DEMO_KEYS = {
  'demo-alfa': 'key-alfa',
  'demo-beta': 'key-beta',
  'demo-gama': 'key-gama',
  'demo-delta': 'key-delta',
  'demo-expired': 'key-expired',
  'demo-revoked': 'key-revoked',
  'demo-address': 'key-address',
  'demo-scope': 'key-scope',
  'demo-limited': 'key-limited',
} as const satisfies Readonly<Record<string, PageKey>>;

type Step = { readonly says: PageKey; readonly command: string };

const ALFA = '-H X-Api-Key:demo-alfa -H X-Software-Id:tour/1.0';
const BETA = '-H X-Api-Key:demo-beta -H X-Software-Id:tour/1.0';

/** The commands of the tour, one after the other in one shell. They can be repeated: each time has a document of its own. */
export function demoTour(url: string, apiRoot: string, extensionsRoot: string): readonly Step[] {
  return [
    { says: 'tour-ping', command: `API=${url}${apiRoot}\ncurl -s $API/ping ${ALFA}` },
    {
      says: 'tour-submit',
      command: `NUMBER=TOUR-$(date +%s)\ncurl -s ${url}/examples/invoice.xml | sed "s/2026-7001/$NUMBER/" > tour.xml\nDOC=$(curl -s $API/outbound ${ALFA} -H X-Idempotency-Key:$NUMBER --data-binary @tour.xml | grep -o '[0-9a-f-]\\{36\\}')\necho $DOC`,
    },
    { says: 'tour-read', command: `curl -s $API/outbound/$DOC ${ALFA}` },
    {
      says: 'tour-wait',
      command: `until curl -s $API/outbound/$DOC ${ALFA} | grep -E '"status":(40|50|55|60)'; do sleep 1; done`,
    },
    { says: 'tour-history', command: `curl -s $API/outbound/$DOC/history ${ALFA}` },
    {
      says: 'tour-container',
      command: `curl -sf --retry 60 --retry-delay 1 --retry-all-errors "$API/outbound/$DOC/file?format=ujp" ${ALFA} -o tour.zip\nls -l tour.zip`,
    },
    { says: 'tour-view', command: `curl -s -X POST ${url}${extensionsRoot}/outbound/$DOC/view-link ${ALFA}` },
    {
      says: 'tour-inbound',
      command: `until for D in $(curl -s "$API/inbound?onlyNotImported=true" ${BETA} | grep -o '[0-9a-f-]\\{36\\}'); do curl -s $API/inbound/$D/file ${BETA}; done | grep -o $NUMBER; do sleep 1; done`,
    },
    { says: 'tour-foreign', command: `curl -s $API/outbound/$DOC ${BETA}` },
  ];
}
