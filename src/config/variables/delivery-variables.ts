import type { VariableGroup } from './described-variable.ts';

export const DELIVERY_VARIABLES: VariableGroup = {
  title: 'Delivery and the authority',
  variables: [
    {
      name: 'AUTHORITY_TEST_URL',
      meaning:
        "the authority's test installation, as that of production above; all three or none, and none of them an address of production",
      example: 'https://test.authority.example/einvoice_api',
      default: null,
    },
    {
      name: 'AUTHORITY_TEST_RECEIVER_URL',
      meaning: 'its receiver of documents',
      example: 'https://test.authority.example/JSONReceiver',
      default: null,
    },
    {
      name: 'AUTHORITY_TEST_PORTAL_URL',
      meaning: 'its site for QR codes',
      example: 'https://portal.test.authority.example',
      default: null,
    },
    {
      name: 'DELIVERY_HOLD_SECONDS',
      meaning: 'how long a document stays in status 10, so that it can still be cancelled',
      example: '0',
      default: '0',
      demoDefault: '20',
    },
    {
      name: 'LEASE_SECONDS',
      meaning:
        "after this time without a renewal another worker takes over a worker's documents; a worker renews its leases three times in it",
      example: '60',
      default: '60',
    },
    {
      name: 'AUTHORITY_PACE_MS',
      meaning:
        'time between two requests of the same user of the authority, which allows one a second; at least `1000` in production, unless `ALLOW_ANY_PACE` says otherwise',
      example: '1050',
      default: '1050',
    },
    {
      name: 'ALLOW_ANY_PACE',
      meaning: 'for rehearsals with a simulator: `i-know-that-the-authority-refuses-faster-requests`',
      example: 'i-know-that-the-authority-refuses-faster-requests',
      default: null,
    },
    {
      name: 'AUTHORITY_TIMEOUT_SECONDS',
      meaning: 'how long to wait for the answer to a document',
      example: '30',
      default: '30',
      demoDefault: '10',
    },
    {
      name: 'OUTCOME_WINDOW_SECONDS',
      meaning:
        "how long after its timestamp, by the authority's own clock, a request may still be carried out or be missing in its lists; only after that does a document that is not found count as not registered. The authority's part of it is 300, so in production at least 310: below that, a document could be cancelled and yet be registered",
      example: '330',
      default: '330',
      demoDefault: '15',
    },
    {
      name: 'MAX_AUTHORITY_CLOCK_OFFSET_SECONDS',
      meaning:
        "by how much the clock may differ from the authority's before a worker stops delivering ([clocks](#clocks)); at least 5",
      example: '300',
      default: '300',
    },
    {
      name: 'MAX_DATABASE_CLOCK_OFFSET_SECONDS',
      meaning: "the same for the clock of a worker's machine and that of PostgreSQL",
      example: '30',
      default: '30',
    },
    {
      name: 'COLLECT_SECONDS',
      meaning: 'how often the authority is asked for inbound documents after one has arrived',
      example: '30',
      default: '30',
      demoDefault: '10',
    },
    {
      name: 'COLLECT_QUIET_SECONDS',
      meaning:
        'how often at least where none arrives; the pause doubles from one to the other. Less often where very many taxpayers share a user ([figures](scaling.md#many-taxpayers-on-one-user))',
      example: '900',
      default: '900',
      demoDefault: '10',
    },
    {
      name: 'FOLLOW_SECONDS',
      meaning: 'how often the authority is asked for later statuses',
      example: '900',
      default: '900',
      demoDefault: '10',
    },
  ],
};
