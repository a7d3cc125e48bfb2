import type { VariableGroup } from './described-variable.ts';

export const DEMO_VARIABLES: VariableGroup = {
  title: 'The demo environment alone',
  variables: [
    {
      name: 'DEMO_PUBLIC',
      meaning:
        "`yes` lets `HOST` and `OPS_HOST` be an address that other machines reach. Everybody knows the demo's keys",
      example: 'yes',
      default: null,
      isDemoOnly: true,
    },
    {
      name: 'SIMULATOR_PORT',
      meaning: 'port of the simulated authority; the next port is its second installation, which starts in an outage',
      example: '8090',
      default: '8090',
      isDemoOnly: true,
    },
  ],
};
