import { type Command, onePositional } from '../../command.ts';

export const tenantRemoveCertificate: Command = {
  name: 'tenant remove-certificate',
  summary: 'Removes the certificate and the private key of a taxpayer that leaves.',
  positionals: '<EDB>',
  options: {},
  async run({ removeCredential }, given) {
    const edb = onePositional(given, 'EDB');
    const { serialNumber, containers } = await removeCredential(edb);
    return {
      text: [
        `The certificate ${serialNumber} of ${edb} and its private key are removed: nothing is sent, collected or asked for in its name.`,
        ...(containers === 0
          ? []
          : [
              `Accepted documents without the authority's file (format=ujp), which cannot be fetched now: ${containers}.`,
            ]),
      ].join('\n'),
      json: { edb, serialNumber, containers },
    };
  },
};
