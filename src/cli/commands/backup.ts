import { type Command, required } from '../command.ts';
import { progressLines } from '../progress-lines.ts';

export const backup: Command = {
  name: 'backup',
  summary: 'Writes the embedded database into a file, beside the running service, and checks it.',
  positionals: '',
  options: { to: { value: 'file', help: 'A file that is not there yet; its SHA-256 is put beside it.' } },
  async keep({ backUp }, given, report) {
    const done = await backUp(required(given, 'to'), progressLines(report));
    const text = [
      `${done.file}: ${done.bytes} bytes, SHA-256 ${done.sha256}`,
      `${done.outbound} outbound and ${done.inbound} inbound documents, ${done.files} files, each as its SHA-256 says.`,
      "CREDENTIALS_KEY is not in it: keep it elsewhere. Without it the taxpayers' private keys cannot be used.",
    ];
    return { text: text.join('\n'), json: done };
  },
};

export const restore: Command = {
  name: 'restore',
  summary: 'Checks a backup and makes it the embedded database. No service may run on it.',
  positionals: '',
  options: {
    from: { value: 'file', help: 'What "dostava backup" wrote.' },
    force: { value: null, help: 'Also where there is a database already; that one is set aside.' },
  },
  async keep({ restore }, given, report) {
    const options = { force: given.option('force') !== null };
    const done = await restore(required(given, 'from'), options, progressLines(report));
    const text = [
      `${done.database}: ${done.outbound} outbound and ${done.inbound} inbound documents, ${done.files} files, each as its SHA-256 says.`,
      done.hasChecksum ? 'The backup is the one of its checksum.' : 'There was no checksum beside the backup.',
      ...(done.setAside === null ? [] : [`The database before is now ${done.setAside}.`]),
      'CREDENTIALS_KEY was not in the backup: the service needs the one from then.',
    ];
    return { text: text.join('\n'), json: done };
  },
};
