import type { VariableGroup } from './described-variable.ts';

export const SIGNING_VARIABLES: VariableGroup = {
  title: 'Signing',
  variables: [
    {
      name: 'SIGNING_COMMAND_<NAME>',
      meaning:
        'a command that signs with a key outside of the service: absolute path and arguments, separated by blanks or as a JSON list; no shell reads it ([keys in a token or HSM](#keys-in-a-token-or-hsm))',
      example: '/opt/dostava/examples/signing/sign-with-pkcs11-tool',
      default: null,
      // Its arguments may hold a PIN.
      isSecret: true,
    },
    {
      name: 'SIGNER_<NAME>',
      meaning: 'whatever such a command needs; it gets these variables and nothing else of ours',
      example: '01',
      default: null,
      isSecret: true,
    },
    {
      name: 'SIGNING_TIMEOUT_SECONDS',
      meaning: 'how long one signature by such a command may take',
      example: '15',
      default: '15',
    },
    {
      name: 'PKCS12_PASSWORD',
      meaning: 'for `tenant set --pkcs12`: the password of the file, in place of the prompt',
      example: 'password',
      default: null,
      isSecret: true,
    },
  ],
};
